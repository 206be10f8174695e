import { readdirSync, readFileSync } from 'node:fs';

/** The length of one clock tick in /proc/PID/stat. Every Linux uses the same length. */
const TICK_MS = 10;

/**
 * Returns the CPU time of these processes in milliseconds, including their children that have ended. The time of the
 * processes themselves comes from schedstat, which counts nanoseconds. The 10 ms ticks in /proc/PID/stat would be too
 * coarse for an idle process.
 */
export const cpuMs = (pids: readonly number[]): number => pids.reduce((sum, pid) => sum + cpuMsOf(pid), 0);

function cpuMsOf(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`).map((thread) => read(`/proc/${pid}/task/${thread}/schedstat`));
  const own = threads.reduce((sum, text) => sum + Number(text.split(' ')[0] || 0) / 1e6, 0);
  const [childUser = 0, childSystem = 0] = statFields(pid).slice(13, 15).map(Number);
  return own + (childUser + childSystem) * TICK_MS;
}

export const rssMb = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`))?.[1] ?? Number.NaN) / 1024;

export const childrenOf = (pid: number): readonly number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && statFields(Number(name))[1] === String(pid))
    .map(Number);

/**
 * Returns the fields of /proc/PID/stat after the command name, which may contain spaces and parentheses. The first
 * returned field is the process state.
 */
function statFields(pid: number): readonly string[] {
  const stat = read(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Reads a file in /proc. Returns an empty text if the process or thread has just ended. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
