import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

export interface Use {
  readonly rssMb: number;
  readonly fds: number;
}

const SAMPLES = 7;
const APART_MS = 150;

/**
 * Measures the memory and the open file descriptors of a process. Returns the median of several samples, so that one
 * garbage collection does not distort the result.
 */
export async function measureProcess(pid: number): Promise<Use> {
  const looks: Use[] = [];
  for (let look = 0; look < SAMPLES; look++) {
    const kb = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    looks.push({ rssMb: Number(kb) / 1024, fds: readdirSync(`/proc/${pid}/fd`).length });
    await pause(APART_MS);
  }
  return { rssMb: middle(looks.map(({ rssMb }) => rssMb)), fds: middle(looks.map(({ fds }) => fds)) };
}

const middle = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[SAMPLES >> 1] ?? 0;

/** The ids of all processes that have this path on their command line or in their environment. */
const processesWith = (path: string): readonly number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => ['cmdline', 'environ'].some((file) => text(`/proc/${pid}/${file}`).includes(path)))
    .map(Number);

/** Reads a file of a process; an empty text if the process has just ended or belongs to another user. */
function text(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}

/** Waits until no process uses this path. Returns the processes that still run when the time is up. */
export async function waitUntilGone(path: string, patienceMs: number): Promise<readonly number[]> {
  for (const until = performance.now() + patienceMs; ; await pause(100)) {
    const left = processesWith(path);
    if (left.length === 0 || performance.now() > until) return left;
  }
}

export function endById(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Ignore the error: the process has already ended.
  }
}
