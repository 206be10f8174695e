import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';

/** Finds out the version of a client program. */
export interface ClientVersions {
  /**
   * Runs the program to get its version. Does not run the program again if its version is known and its file has not
   * changed.
   */
  ask(path: string): Promise<void>;
  /**
   * Returns the version that the program printed; undefined if Baton has not run the program at this path or the
   * program printed no version.
   */
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

/** Identifies the file at this path. An update replaces the file, and then the version must be read again. */
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
        resolve(error === null ? /^(?:[\w-]+ )?(\d+\.\d+\.\d+)\b/.exec(stdout)?.[1] : undefined);
      },
    );
    child.stdin?.end();
  });
}

/** True if `version` equals the version `since` or is a later version. */
export function isSince(version: string, since: string): boolean {
  const [one, other] = [version, since].map((each) => each.split('.').map(Number));
  const differs = [0, 1, 2].find((part) => one?.[part] !== other?.[part]);
  return differs === undefined || (one?.[differs] ?? 0) > (other?.[differs] ?? 0);
}
