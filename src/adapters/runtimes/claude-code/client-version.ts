import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';

/** Finds out the version of a client program. */
export interface ClientVersions {
  /** Asks the program for its version once per file. If it gives no answer, the next call asks again. */
  ask(path: string): Promise<void>;
  /** The version that the program answered; undefined if it gave no answer or was not asked. */
  known(path: string): string | undefined;
}

const PATIENCE_MS = 10_000;

export function createClientVersions(env: NodeJS.ProcessEnv): ClientVersions {
  const versions = new Map<string, string>();
  return {
    ask: async (path) => {
      const file = fileOf(path);
      const version = versions.get(file) ?? (await askProgram(path, env));
      if (version !== undefined) versions.set(file, version);
    },
    known: (path) => versions.get(fileOf(path)),
  };
}

/** Identifies the file at this path, because an update puts another file there, which must be asked again. */
function fileOf(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return `${path}@${found?.ino}/${found?.size}/${found?.mtimeNs}`;
}

function askProgram(path: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = execFile(
      path,
      ['--version'],
      { env, timeout: PATIENCE_MS, killSignal: 'SIGKILL' },
      (error, stdout) => {
        resolve(error === null ? /^(\d+\.\d+\.\d+)\b/.exec(stdout)?.[1] : undefined);
      },
    );
    child.stdin?.end();
  });
}

/** Is `version` the same as `since` or later? */
export function isSince(version: string, since: string): boolean {
  const [one, other] = [version, since].map((each) => each.split('.').map(Number));
  const differs = [0, 1, 2].find((part) => one?.[part] !== other?.[part]);
  return differs === undefined || (one?.[differs] ?? 0) > (other?.[differs] ?? 0);
}
