import { open, stat } from 'node:fs/promises';
import type { ContextInTranscript, TranscriptReader } from '../../../../app/ports/agent-runtime.ts';
import type { TurnEnd } from '../../../../app/ports/client-control.ts';
import { usageLimitIn } from '../usage-limit.ts';
import { type Line, lineOf } from './line.ts';
import { RECALLED, recallFrom, saidIn } from './recall-rollout.ts';

/**
 * Codex writes a rollout file for each conversation: one JSON object a line, with the start and the end of each turn,
 * the user's prompts and the token use. Measured with 0.166.0; test/fixtures/codex/rollouts has recorded files.
 */

/**
 * How many bytes are read at the end of a rollout. The ends of turns and recent prompts are near the end of the file.
 */
const TAIL_BYTES = 4 * 1024 * 1024;

/**
 * Matches a line that Baton reads. All other lines, which are most lines of a rollout, are skipped without parsing.
 */
const READ = /"(?:task_started|task_complete|turn_aborted|token_count|user_message|UserMessage|compacted)"/;

type Turn =
  | { readonly runs: true; readonly id: string; readonly at: string }
  | { readonly runs: false; readonly end: TurnEnd };

/** Everything that Baton reads from the end of a rollout. */
export interface RolloutTail {
  /** The last turn of the conversation. Undefined if the part of the file that Baton reads mentions no turn. */
  readonly turn: Turn | undefined;
  readonly context: ContextInTranscript | undefined;
}

export const rolloutReader: TranscriptReader = {
  holds: async (path, wanted) => (await promptsIn(path, 0)).some((prompt) => prompt.includes(wanted)),
  promptsBehind: promptsIn,
  endsInterrupted: async (path) => {
    const turn = lastTurnIn(linesOf(await readEnd(path, 0, TAIL_BYTES)));
    return turn?.runs === false && turn.end.outcome === 'interrupted';
  },
  lastTurn: async (path) => {
    const turn = lastTurnIn(linesOf(await readEnd(path, 0, TAIL_BYTES)));
    return turn === undefined || turn.runs ? undefined : turn.end;
  },
  recall: async (path) => recallFrom((await readEnd(path, 0, TAIL_BYTES)).split('\n').flatMap(recalledLine)),
  end: async (path) => (await stat(path).catch(() => undefined))?.size ?? 0,
};

async function promptsIn(path: string, from: number): Promise<readonly string[]> {
  return linesOf(await readEnd(path, from, TAIL_BYTES)).flatMap((line) => saidIn(line, 'user') ?? []);
}

/**
 * Reads the end of a rollout. `compactsAt` takes the size of a context window, and returns the number of tokens at
 * which Codex compacts a window of this size.
 */
export async function readRolloutTail(path: string, compactsAt: (window: number) => number): Promise<RolloutTail> {
  const lines = linesOf(await readEnd(path, 0, STATUS_BYTES));
  return { turn: lastTurnIn(lines), context: contextIn(lines, compactsAt) };
}

/**
 * How many bytes at the end of a rollout are read to find the status of Codex. All lines that follow the end of a turn
 * fit into this size.
 */
const STATUS_BYTES = 512 * 1024;

export async function contextInRollout(
  path: string,
  compactsAt: (window: number) => number,
): Promise<ContextInTranscript | undefined> {
  return contextIn(linesOf(await readEnd(path, 0, TAIL_BYTES)), compactsAt);
}

const recalledLine = (row: string): readonly Line[] => (RECALLED.test(row) ? [lineOf(row) ?? []].flat() : []);

function linesOf(text: string): readonly Line[] {
  return text.split('\n').flatMap((row) => (READ.test(row) ? (lineOf(row) ?? []) : []));
}

function lastTurnIn(lines: readonly Line[]): Turn | undefined {
  const last = lines.findLast(({ kind }) => /^(?:task_started|task_complete|turn_aborted)$/.test(kind));
  if (last === undefined) return undefined;
  const { at, kind, payload } = last;
  const id = typeof payload.turn_id === 'string' ? payload.turn_id : '';
  if (kind === 'task_started') return { runs: true, id, at };
  if (kind === 'turn_aborted') return { runs: false, end: { id, outcome: 'interrupted' } };
  const error = errorIn(payload.error);
  if (error === undefined) return { runs: false, end: { id, outcome: 'completed' } };
  const limit = isLimit(payload.error) ? { limit: usageLimitIn(error, at) } : {};
  return { runs: false, end: { id, outcome: 'failed', error, ...limit } };
}

/**
 * Codex uses the same error code for an exhausted quota and for a plan that does not include Codex, so Baton treats
 * both as a usage limit.
 */
const isLimit = (error: unknown): boolean =>
  (error as { codex_error_info?: unknown } | null)?.codex_error_info === 'usage_limit_exceeded';

const MAX_ERROR = 500;

function errorIn(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { message } = error as { message?: unknown };
  return typeof message === 'string' ? message.slice(0, MAX_ERROR) : 'Codex gave no reason';
}

/** Returns the context use of the last answer; undefined if Codex has compacted the context since then. */
function contextIn(lines: readonly Line[], compactsAt: (window: number) => number): ContextInTranscript | undefined {
  const last = lines.findLast(
    ({ kind, payload }) => kind === 'compacted' || (kind === 'token_count' && payload.info !== null),
  );
  if (last?.kind !== 'token_count') return undefined;
  const info = (last.payload.info ?? {}) as {
    last_token_usage?: { total_tokens?: unknown };
    model_context_window?: unknown;
  };
  const [usedTokens, windowTokens] = [Number(info.last_token_usage?.total_tokens), Number(info.model_context_window)];
  if (!(usedTokens > 0) || !(windowTokens > 0)) return undefined;
  const usedPercent = Math.min(100, Math.round((100 * usedTokens) / Math.max(1, compactsAt(windowTokens))));
  return { usedTokens, windowTokens, usedPercent };
}

async function readEnd(path: string, from: number, bytes: number): Promise<string> {
  const file = await open(path, 'r').catch(() => undefined);
  if (file === undefined) return '';
  try {
    const { size } = await file.stat();
    const begin = Math.max(from, size - bytes);
    const length = Math.max(0, size - begin);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, begin);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}
