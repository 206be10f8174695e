import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';

interface Groups {
  readonly own: number;
  readonly foreground: number;
}

/** Reads the fields after the command name, which is in parentheses and may itself contain spaces and parentheses. */
export function parseProcStat(stat: string): Groups {
  const [, , own, , , foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
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
 * True if text that we type reaches this process. If another process group owns the terminal (the agent left a shell
 * running, or was stopped under one), the text would run there as commands.
 */
export async function ownsForeground(pid: number, platform: NodeJS.Platform = process.platform): Promise<boolean> {
  try {
    const { own, foreground } =
      platform === 'linux' ? parseProcStat(await readFile(`/proc/${pid}/stat`, 'utf8')) : parsePs(await askPs(pid));
    return own > 0 && own === foreground;
  } catch {
    return false;
  }
}

/**
 * Returns the fields after the command name: state, parent, group, session, terminal, …; the 20th is the start time in
 * ticks since boot.
 */
const fieldsBehindName = (stat: string): readonly string[] => stat.slice(stat.lastIndexOf(')') + 2).split(' ');

/**
 * Returns a mark that distinguishes a process from a later one with the same pid, even if the clock is changed. Returns
 * undefined if the process does not run or is a zombie.
 */
export async function processMark(pid: number, platform = process.platform): Promise<string | undefined> {
  try {
    if (platform !== 'linux') return (await askPs(pid, 'lstart=')).trim().replace(/\s+/g, '_') || undefined;
    const fields = fieldsBehindName(await readFile(`/proc/${pid}/stat`, 'utf8'));
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

/**
 * True if the process is still a child that its tmux server has not reaped. Until then, which can be seconds on a busy
 * machine, tmux does not know its exit code.
 */
export async function isUncollected(pid: number, serverPid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  return stat !== undefined && Number(fieldsBehindName(stat)[1]) === serverPid;
}

/**
 * True if this (`/dev/pts/3`) is the terminal of the process. A pane inside a pane, or a recorder, gives it another
 * one.
 */
export async function hasTerminal(pid: number, tty: string, platform = process.platform): Promise<boolean> {
  try {
    if (platform !== 'linux') return `/dev/${(await askPs(pid, 'tty=')).trim()}` === tty;
    const fields = fieldsBehindName(await readFile(`/proc/${pid}/stat`, 'utf8'));
    return Number(fields[4]) === (await stat(tty)).rdev;
  } catch {
    return false;
  }
}
