import { open, stat } from 'node:fs/promises';
import type { TranscriptReader } from '../../app/ports/agent-runtime.ts';

/**
 * The transcript dialect that several agent CLIs share: one JSON object per line. Only a `user` line is a prompt. A
 * prompt that the operator's own hook blocked is in a `system` line, because the model never saw it. Tool results are
 * `user` lines too, but have no text block.
 */

/** Transcripts grow to hundreds of megabytes; recent prompts are near the end. */
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
  deniedTool: async (path, since) =>
    (await readTail(path, 0)).map((line) => deniedIn(line, since)).findLast((tool) => tool !== undefined),
  end: async (path) => (await stat(path).catch(() => undefined))?.size ?? 0,
};

/** The client's line about an interruption, which it writes in place of the user's next prompt. */
const INTERRUPTION = /^\[Request interrupted by user\b/;
/** The client's line about a blocked prompt, which began no turn. */
const BLOCKED = /^UserPromptSubmit operation blocked by hook\b/;
/** Enough for the interruption and the few short lines that the client writes after it. */
const INTERRUPTION_BYTES = 256 * 1024;

/** The client's answer to the model in place of a tool's result, if one of the user's rules denies the tool. */
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
    // The first line of the tail may be cut off, and the last may be half-written.
  }
  return undefined;
}

/** The text of the user or the agent in this line; undefined for other kinds of lines and for subagents. */
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

/** Returns the context use of the model's last answer; undefined if there was none, or if a compaction followed it. */
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
    // Skip subagents, because each has a context of its own.
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
    // The first line of the tail may be cut off, and the last may be half-written.
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
