import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';

interface Groups {
  readonly own: number;
  readonly foreground: number;
}

/** The command name stands in parentheses and may itself hold spaces and parentheses. */
export function parseProcStat(stat: string): Groups {
  const [, , own, , , foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { own: Number(own), foreground: Number(foreground) };
}

export function parsePs(output: string): Groups {
  const [foreground, own] = output.trim().split(/\s+/);
  return { own: Number(own), foreground: Number(foreground) };
}

function askPs(pid: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const args = ['-o', 'tpgid=,pgid=', '-p', String(pid)];
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
