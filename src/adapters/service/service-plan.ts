import { createHash } from 'node:crypto';

/**
 * The command with which the service manager starts Baton for this home, and the environment of that command. A service
 * does not get the environment of a shell.
 */
export interface ServicePlan {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly homePath: string;
}

const MARK = 'Written by "baton service install"';

/**
 * Returns the mark that is in the first lines of every service file of Baton. The mark contains a hash of the rest of
 * the file, so that Baton notices later edits.
 */
export const markOf = (rest: string): string =>
  `${MARK} ${createHash('sha256').update(rest).digest('hex').slice(0, 16)}; change it with an override, not here`;

/**
 * Returns whether Baton wrote the service file. `changed` means that Baton wrote the file and somebody edited it later.
 */
export function ownerOf(content: string, restOf: (content: string) => string): 'ours' | 'changed' | 'foreign' {
  if (!content.includes(MARK)) return 'foreign';
  return content.includes(markOf(restOf(content))) ? 'ours' : 'changed';
}

const WANTED = ['LANG', 'LC_ALL', 'LC_CTYPE'] as const;

/**
 * Returns the environment of the service: the PATH, so that tmux, git and agents' programs are found, and the language
 * of the terminal. Keys and tokens from the shell are not included.
 */
export function serviceEnv(env: NodeJS.ProcessEnv, homePath: string): Record<string, string> {
  const folders = (env.PATH ?? '').split(':').filter((folder) => /^\/\P{Cc}*$/u.test(folder));
  const path = [...new Set(folders.length > 0 ? folders : ['/usr/local/bin', '/usr/bin', '/bin'])].join(':');
  const given = WANTED.flatMap((name) =>
    /^\P{Cc}+$/u.test(env[name] ?? '') ? [[name, env[name] ?? ''] as const] : [],
  );
  return { BATON_HOME: homePath, PATH: path, ...Object.fromEntries(given) };
}
