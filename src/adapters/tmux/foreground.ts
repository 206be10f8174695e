import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';

interface Groups {
  readonly own: number;
  readonly foreground: number;
}

/** The number of fields to read from /proc/PID/stat. The last one is the start time of the process. */
const FIELDS_COUNT = 20;

/**
 * Returns the fields of /proc/PID/stat after the name of the command. This name is in parentheses, and may itself
 * contain spaces and parentheses.
 */
export const fieldsOf = (procStat: string): readonly string[] =>
  procStat.slice(procStat.lastIndexOf(')') + 2).split(' ', FIELDS_COUNT);

/**
 * Reads /proc/PID/stat in the server's own thread: the kernel answers from memory, and handing the read to another
 * thread would cost more than the read. Throws if the process does not run. Linux only.
 */
const processStat = (pid: number): readonly string[] => fieldsOf(readFileSync(`/proc/${pid}/stat`, 'utf8'));

/** Returns the process group of the process, and the process group that owns its terminal. */
export function groupsIn([, , own, , , foreground]: readonly string[]): Groups {
  return { own: Number(own), foreground: Number(foreground) };
}

export function parsePs(output: string): Groups {
  const [foreground, own] = output.trim().split(/\s+/);
  return { own: Number(own), foreground: Number(foreground) };
}

function askPs(pid: number, columns = 'tpgid=,pgid='): Promise<string> {
  return new Promise((resolve, reject) => {
    const args = ['-o', columns, '-p', String(pid)];
    execFile('ps', args, { timeout: 2000, encoding: 'utf8' }, (error, stdout) => {
      if (error === null) resolve(stdout);
      else reject(error);
    });
  });
}

/**
 * True if text that Baton types reaches this process. If the agent is suspended, or if a shell that the agent started
 * is in the foreground of the terminal, the shell would get the text and run it as commands.
 */
export async function ownsForeground(pid: number, platform: NodeJS.Platform = process.platform): Promise<boolean> {
  try {
    const { own, foreground } = platform === 'linux' ? groupsIn(processStat(pid)) : parsePs(await askPs(pid));
    return own > 0 && own === foreground;
  } catch {
    return false;
  }
}

/**
 * Returns a mark that distinguishes a process from a later process with the same pid, even if the clock is changed.
 * Returns undefined if the process does not run or is a zombie.
 */
export async function processMark(pid: number, platform = process.platform): Promise<string | undefined> {
  try {
    if (platform !== 'linux') return (await askPs(pid, 'lstart=')).trim().replace(/\s+/g, '_') || undefined;
    const fields = processStat(pid);
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

/**
 * True if the tmux server has not reaped this process yet. Until then, which can take seconds on a busy machine, tmux
 * does not know the exit code.
 */
export async function isUncollected(pid: number, serverPid: number): Promise<boolean> {
  try {
    return Number(processStat(pid)[1]) === serverPid;
  } catch {
    return false;
  }
}

/**
 * True if `tty` (for example `/dev/pts/3`) is the terminal of the process. A process in a nested tmux or under a
 * recorder has another terminal.
 */
export async function hasTerminal(pid: number, tty: string, platform = process.platform): Promise<boolean> {
  try {
    if (platform !== 'linux') return `/dev/${(await askPs(pid, 'tty=')).trim()}` === tty;
    const fields = processStat(pid);
    return Number(fields[4]) === (await stat(tty)).rdev;
  } catch {
    return false;
  }
}
