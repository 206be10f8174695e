import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const LEAVING_MS = 5_000;

/**
 * Waits until no process has one of the given paths in its command line or environment. Returns the processes that are
 * left after the timeout.
 */
export async function leftProcesses(paths: readonly string[], waitMs = LEAVING_MS): Promise<number[]> {
  const until = performance.now() + waitMs;
  for (;;) {
    const left = processesNaming(paths);
    if (left.length === 0 || performance.now() >= until) return left;
    await pause(50);
  }
}

function processesNaming(paths: readonly string[]): number[] {
  const all = existsSync('/proc/self/environ') ? fromProc() : fromPs();
  return all
    .filter(({ pid, text }) => pid !== process.pid && paths.some((path) => text.includes(path)))
    .map(({ pid }) => pid);
}

interface Seen {
  readonly pid: number;
  readonly text: string;
}

/**
 * Reads all processes from /proc. Zombies are never found, because a zombie has neither command line nor environment.
 */
function fromProc(): Seen[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map((pid) => ({
    pid: Number(pid),
    text: `${read(`/proc/${pid}/cmdline`)}\0${read(`/proc/${pid}/environ`)}`,
  }));
}

/** Reads a file of a process. Returns '' if the process belongs to another user or has just ended. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function fromPs(): Seen[] {
  const lines = execFileSync('ps', ['-axww', '-o', 'pid=,command='], { encoding: 'utf8', maxBuffer: 1 << 26 }).split(
    '\n',
  );
  return lines.map((line) => ({ pid: Number.parseInt(line, 10), text: line }));
}
