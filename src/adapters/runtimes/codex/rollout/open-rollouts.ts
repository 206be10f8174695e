import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { ControlStatus } from '../../../../app/ports/client-control.ts';
import { type RolloutTail, readRolloutTail } from './rollout.ts';

/**
 * Codex has no status file, but keeps the rollouts of its conversations open while it runs. A subagent has its own
 * rollout. If the last turn of every open rollout has ended, Codex is idle. Otherwise Codex is busy with a turn, or
 * retries a turn after an API error.
 */
const isRollout = (path: string): boolean =>
  path.includes('/sessions/') && /^rollout-[^/]{1,300}\.jsonl$/.test(basename(path));

/** The maximum number of processes to remember. It is larger than the number of agents that one server watches. */
const MAX_KNOWN = 2_000;

interface Known {
  readonly version: string;
  readonly status: ControlStatus;
  readonly sinceMs: number;
}

export function createRolloutStatus(
  compactsAt: (window: number) => number,
  nowMs: () => number = () => performance.now(),
): (pid: number) => Promise<ControlStatus | undefined> {
  const known = new Map<string, Known>();
  return async (pid) => {
    const began = startOf(pid);
    const paths = began === undefined ? [] : openRollouts(pid);
    if (began === undefined || paths.length === 0) return undefined;
    const key = `${pid}/${began}`;
    const version = paths.map(versionOf).join('\n');
    const before = known.get(key);
    if (before?.version === version) return { ...before.status, forMs: nowMs() - before.sinceMs };
    const tails = await Promise.all(paths.map((path) => readRolloutTail(path, compactsAt)));
    const status = statusOf(tails, began);
    if (known.size >= MAX_KNOWN) known.clear();
    // Measure the time since Codex was first found busy. The time of the last change of the files does not show this,
    // because a busy Codex writes new lines all the time.
    const isSame = before?.status.status === status.status && status.status === 'busy';
    known.set(key, { version, status, sinceMs: isSame ? before.sinceMs : nowMs() });
    return { ...status, forMs: 0 };
  };
}

function statusOf(tails: readonly RolloutTail[], beganMs: number): ControlStatus {
  const current = tails.at(-1);
  const context = current?.context === undefined ? {} : { context: current.context };
  // Ignore a turn that began before this process started and has no end: the end of an earlier process interrupted the
  // turn. If Baton finds no turn in the part of the rollout that it reads, a running turn has filled that part, so
  // Codex counts as busy.
  const isBusy = tails.some(({ turn }) => turn === undefined || (turn.runs && !(Date.parse(turn.at) < beganMs)));
  if (isBusy) return { status: 'busy', ...context };
  const turn = current?.turn;
  return turn === undefined || turn.runs
    ? { status: 'idle', ...context }
    : { status: 'idle', ...context, lastTurn: turn.end };
}

/** Returns the rollouts that this process has open. The newest conversation is the last. */
function openRollouts(pid: number): readonly string[] {
  const folder = `/proc/${pid}/fd`;
  try {
    const targets = readdirSync(folder).map((fd) => linkOf(`${folder}/${fd}`));
    return [...new Set(targets.filter((target) => isRollout(target)))].sort();
  } catch {
    return [];
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

function versionOf(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return `${path} ${found?.ino}/${found?.size}/${found?.mtimeNs}`;
}

/** The length of a tick in milliseconds. Linux counts the start of a process in ticks since the boot. */
const TICK_MS = 10;

/**
 * Returns when the process started, in milliseconds since the epoch and rounded down to a second; undefined if the
 * process has ended.
 */
function startOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const ticks = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ', 20)[19]);
    const boot = Number(/^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1]);
    return boot * 1000 + Math.floor((ticks * TICK_MS) / 1000) * 1000;
  } catch {
    return undefined;
  }
}
