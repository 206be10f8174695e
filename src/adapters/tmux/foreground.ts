import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';

interface Groups {
  readonly own: number;
  readonly foreground: number;
}

/** The command name is in parentheses and may itself contain spaces and parentheses. */
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
 * Does what we type reach this process? If another process group owns the terminal (the agent left a shell behind, or
 * was stopped under one), text would run there as commands.
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
 * Fields after the command name: state, parent, group, session, terminal, …; the 20th is the start time in ticks since
 * boot.
 */
const fieldsBehindName = (stat: string): readonly string[] => stat.slice(stat.lastIndexOf(')') + 2).split(' ');

/**
 * Tells a process from a later one with the same pid, whatever the clock is set to; undefined if it does not run or is
 * a zombie.
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
 * Is this process still a child that its tmux server has not reaped? Then its exit code is still to come, which can
 * take seconds on a busy machine.
 */
export async function isUncollected(pid: number, serverPid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  return stat !== undefined && Number(fieldsBehindName(stat)[1]) === serverPid;
}

/** Is this (`/dev/pts/3`) the terminal of that process? A pane inside a pane, or a recorder, gives it another one. */
export async function hasTerminal(pid: number, tty: string, platform = process.platform): Promise<boolean> {
  try {
    if (platform !== 'linux') return `/dev/${(await askPs(pid, 'tty=')).trim()}` === tty;
    const fields = fieldsBehindName(await readFile(`/proc/${pid}/stat`, 'utf8'));
    return Number(fields[4]) === (await stat(tty)).rdev;
  } catch {
    return false;
  }
}
