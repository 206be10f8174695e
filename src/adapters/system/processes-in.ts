import { execFile } from 'node:child_process';
import { readdir, readFile, readlink } from 'node:fs/promises';

export interface FolderProcess {
  readonly pid: number;
  /** The name of the process. A process can choose its own name. */
  readonly name: string;
}

interface Working extends FolderProcess {
  readonly folder: string;
}

/**
 * Returns the processes whose working directory is this folder or below it, for example a shell or an agent. `top` must
 * be a path without symbolic links. Excludes Baton and tmux; a tmux server stays in the folder where it was started,
 * and does nothing there.
 */
export async function processesIn(top: string, platform = process.platform): Promise<readonly FolderProcess[]> {
  const all = platform === 'linux' ? await fromProc() : fromLsof(await askLsof());
  return all
    .filter(({ folder }) => folder === top || folder.startsWith(`${top}/`))
    .filter(({ pid, name }) => pid !== process.pid && !/^tmux\b/.test(name))
    .map(({ pid, name }) => ({ pid, name: plain(name) }));
}

/**
 * Replaces unprintable characters in the name of a process, because a process can choose any name, and the name is
 * shown.
 */
const plain = (name: string): string => name.replace(/[^ -~]/g, '?').slice(0, 40);

async function fromProc(): Promise<readonly Working[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const seen = await Promise.all(
    pids.map(async (pid): Promise<Working | undefined> => {
      try {
        const folder = await readlink(`/proc/${pid}/cwd`);
        return { pid, folder, name: (await readFile(`/proc/${pid}/comm`, 'utf8')).trim() };
      } catch {
        // Skip a process that belongs to another user or has just ended.
        return undefined;
      }
    }),
  );
  return seen.filter((each) => each !== undefined);
}

/**
 * Parses the output of lsof, which has one field per line: p is the pid, c the name, n the folder; f lines are ignored.
 */
export function fromLsof(output: string): readonly Working[] {
  const found: Working[] = [];
  let [pid, name] = [0, ''];
  for (const line of output.split('\n')) {
    const value = line.slice(1);
    if (line[0] === 'p') [pid, name] = [Number(value), ''];
    else if (line[0] === 'c') name = value;
    else if (line[0] === 'n') found.push({ pid, name, folder: value });
  }
  return found;
}

/** Runs lsof. lsof exits with 1 if it could not read every process, which is normal for every user but root. */
function askLsof(): Promise<string> {
  const args = ['-w', '-n', '-P', '-d', 'cwd', '-F', 'pcn'];
  const options = { timeout: 10_000, maxBuffer: 64 * 1024 * 1024, encoding: 'utf8' } as const;
  return new Promise((resolve, reject) => {
    execFile('lsof', args, options, (error, stdout) => {
      if (error === null || (error.code === 1 && stdout !== '')) resolve(stdout);
      else
        reject(
          new Error(`lsof did not report which processes use the folder (${error.killed ? 'too slow' : error.code})`),
        );
    });
  });
}
