import { open, stat } from 'node:fs/promises';
import type { TranscriptReader } from '../../app/ports/agent-runtime.ts';
import { instantFromMs } from '../../domain/instant.ts';
import type { UsageLimit } from '../../domain/limits/usage-limit.ts';
import { recallFrom } from './recall.ts';

/**
 * Parses the transcript format that several agent CLIs share: one JSON object per line. `user` lines with text are
 * prompts, and those without text are tool results. A prompt that the operator's own hook blocked is in a `system`
 * line.
 */

/**
 * How many bytes are read at the end of a transcript. A transcript can grow to hundreds of megabytes, and recent
 * prompts are near its end.
 */
const TAIL_BYTES = 4 * 1024 * 1024;

export const transcriptReader: TranscriptReader = {
  holds: async (path, text) => {
    const quoted = JSON.stringify(text).slice(1, -1);
    return (await readTail(path, 0)).some((line) => line.includes(quoted) && promptIn(line)?.includes(text));
  },
  promptsBehind: async (path, from) => (await readTail(path, from)).flatMap((line) => promptIn(line) ?? []),
  endsInterrupted: async (path) => {
    const lines = await readTail(path, 0, INTERRUPTION_BYTES);
    const last = lines.findLast((line) => saidIn(line) !== undefined || isBlocked(line)) ?? '';
    return isBlocked(last) || INTERRUPTION.test(saidIn(last) ?? '');
  },
  recall: async (path) => recallFrom(await readTail(path, 0)),
  usageLimit: async (path) => limitIn(await readTail(path, 0, INTERRUPTION_BYTES)),
  deniedTool: async (path, since) =>
    (await readTail(path, 0)).map((line) => deniedIn(line, since)).findLast((tool) => tool !== undefined),
  end: async (path) => (await stat(path).catch(() => undefined))?.size ?? 0,
};

/**
 * Matches the line that the client writes when the user interrupts a turn. The line looks like a prompt of the user.
 */
const INTERRUPTION = /^\[Request interrupted by user\b/;
/** Matches the client's line about a prompt that a hook blocked. Such a prompt begins no turn. */
const BLOCKED = /^UserPromptSubmit operation blocked by hook\b/;
/**
 * How many bytes are read to find an interruption: enough for the line about the interruption and the few short lines
 * that the client writes after it.
 */
const INTERRUPTION_BYTES = 256 * 1024;

/**
 * Matches the text that the model gets instead of a tool's result if one of the user's permission rules denies the
 * tool.
 */
const DENIED = /^(?:<tool_use_error>)?Permission to use (\w{1,80})\b[\s\S]{0,4000}? ?has been denied/;

function deniedIn(line: string, since: string): string | undefined {
  if (!line.includes('has been denied')) return undefined;
  try {
    const entry = JSON.parse(line) as { type?: unknown; timestamp?: unknown; message?: { content?: unknown } };
    const content = entry.type === 'user' && Array.isArray(entry.message?.content) ? entry.message.content : [];
    if (typeof entry.timestamp === 'string' && Date.parse(entry.timestamp) < Date.parse(since)) return undefined;
    for (const block of content as { type?: unknown; is_error?: unknown; content?: unknown }[]) {
      if (block.type !== 'tool_result' || block.is_error !== true) continue;
      const text = typeof block.content === 'string' ? block.content : textOf(block.content);
      const [, tool] = DENIED.exec(text) ?? [];
      if (tool !== undefined) return tool;
    }
  } catch {
    // Ignore a line that is not JSON: the first line that was read may be cut off, and the last line may be
    // half-written.
  }
  return undefined;
}

/** Matches the client's note that it continues by itself when the limit ends. */
const CONTINUES = /continuing automatically/i;

/**
 * Returns the usage limit that the last answer reports, with the time at which the limit ends (Claude Code 2.1.325:
 * `quotaLimits.resetsAt`, in seconds). If the client will continue by itself, a `system` line after that answer says
 * so.
 */
function limitIn(lines: readonly string[]): UsageLimit | undefined {
  const at = lines.findLastIndex((line) => saidIn(line) !== undefined);
  const answer = jsonOf(lines[at] ?? '') as { error?: unknown; quotaLimits?: { resetsAt?: unknown } } | undefined;
  if (answer?.error !== 'rate_limit') return undefined;
  const seconds = Number(answer.quotaLimits?.resetsAt);
  const notes = lines.slice(at + 1).map((line) => jsonOf(line) as { type?: unknown; content?: unknown } | undefined);
  return {
    words: (saidIn(lines[at] ?? '') ?? '').slice(0, MAX_WORDS),
    until: seconds > 0 ? instantFromMs(seconds * 1000) : null,
    continuesItself: notes.some((note) => note?.type === 'system' && CONTINUES.test(String(note.content))),
  };
}

const MAX_WORDS = 500;

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/**
 * Returns the text of the user or the agent in this line; undefined for lines of subagents and for other kinds of
 * lines.
 */
function saidIn(line: string): string | undefined {
  try {
    const entry = JSON.parse(line) as { type?: unknown; isSidechain?: unknown; message?: { content?: unknown } };
    const isSaid = (entry.type === 'user' || entry.type === 'assistant') && entry.isSidechain !== true;
    return isSaid ? textOf(entry.message?.content) : undefined;
  } catch {
    return undefined;
  }
}

function isBlocked(line: string): boolean {
  try {
    const entry = JSON.parse(line) as { type?: unknown; content?: unknown };
    return entry.type === 'system' && typeof entry.content === 'string' && BLOCKED.test(entry.content);
  } catch {
    return false;
  }
}

/**
 * Returns the context use of the model's last answer; undefined if there is no answer, or if the context was compacted
 * after the last answer.
 */
export async function usageInTranscript(path: string): Promise<Usage | undefined> {
  const lines = await readTail(path, 0);
  for (let at = lines.length - 1; at >= 0; at--) {
    const line = lines[at] ?? '';
    if (line.includes('"compact_boundary"')) return undefined;
    const used = line.includes('"usage"') ? usageIn(line) : undefined;
    if (used !== undefined) return used;
  }
  return undefined;
}

const COUNTED = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'] as const;

export interface Usage {
  readonly used: number;
  /** The size of the context window; undefined if the transcript does not name it. */
  readonly window: number | undefined;
}

function usageIn(line: string): Usage | undefined {
  try {
    const entry = JSON.parse(line) as Record<string, unknown> & { message?: { usage?: Record<string, unknown> } };
    // Skip subagents, because each subagent has its own context.
    if (entry.type !== 'assistant' || entry.isSidechain === true) return undefined;
    const { usage = {} } = entry.message ?? {};
    const used = COUNTED.reduce((sum, name) => sum + Number(usage[name] ?? 0), 0);
    const window = Number(usage.context_window);
    return Number.isSafeInteger(used) && used > 0 ? { used, window: window > 0 ? window : undefined } : undefined;
  } catch {
    return undefined;
  }
}

function promptIn(line: string): string | undefined {
  try {
    const entry = JSON.parse(line) as { type?: unknown; message?: { content?: unknown } };
    return entry.type === 'user' ? textOf(entry.message?.content) : undefined;
  } catch {
    // Ignore a line that is not JSON: the first line that was read may lack its beginning, and the last line may be
    // half-written.
    return undefined;
  }
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((block: { type?: unknown; text?: unknown }) => (block?.type === 'text' ? String(block.text) : ''))
    .join('\n');
}

async function readTail(path: string, from: number, bytes = TAIL_BYTES): Promise<readonly string[]> {
  const file = await open(path, 'r').catch(() => undefined);
  if (file === undefined) return [];
  try {
    const { size } = await file.stat();
    const begin = Math.max(from, size - bytes);
    const length = Math.max(0, size - begin);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, begin);
    return buffer.toString('utf8', 0, bytesRead).split('\n');
  } finally {
    await file.close();
  }
}
