import { execFile } from 'node:child_process';

export interface ManagerAnswer {
  readonly ok: boolean;
  readonly output: string;
}

const PATIENCE_MS = 20_000;

/**
 * Runs systemctl, launchctl or loginctl from the PATH. Never rejects: if the program fails or is missing, `ok` is
 * false.
 */
export function runManager(env: NodeJS.ProcessEnv, [program = '', ...args]: readonly string[]): Promise<ManagerAnswer> {
  return new Promise((resolve) => {
    const options = { env, timeout: PATIENCE_MS, killSignal: 'SIGKILL', encoding: 'utf8' } as const;
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      const missing = error?.code === 'ENOENT';
      const said = missing ? `there is no program ${program} on the PATH` : (stderr || stdout).trim();
      resolve({ ok: error === null, output: error === null ? stdout.trim() : said || error.message });
    });
    child.stdin?.end();
  });
}
