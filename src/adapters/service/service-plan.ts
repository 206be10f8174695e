import { createHash } from 'node:crypto';

/** The command that the system runs: this Baton on this home, with an environment of its own and not a shell's. */
export interface ServicePlan {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly homePath: string;
}

const MARK = 'Written by "baton service install"';

/**
 * The first line of every service file that Baton writes. It contains the hash of the rest, so that later edits are
 * noticed.
 */
export const markOf = (rest: string): string =>
  `${MARK} ${createHash('sha256').update(rest).digest('hex').slice(0, 16)}; change it with an override, not here`;

/** Says whether Baton wrote the file. `changed`: Baton did, and then somebody edited it. */
export function ownerOf(content: string, restOf: (content: string) => string): 'ours' | 'changed' | 'foreign' {
  if (!content.includes(MARK)) return 'foreign';
  return content.includes(markOf(restOf(content))) ? 'ours' : 'changed';
}

const WANTED = ['LANG', 'LC_ALL', 'LC_CTYPE'] as const;

/**
 * Contains PATH, so that tmux, git and agents' programs are found, and the language of the terminal. Contains no key or
 * token of the shell.
 */
export function serviceEnv(env: NodeJS.ProcessEnv, homePath: string): Record<string, string> {
  const folders = (env.PATH ?? '').split(':').filter((folder) => /^\/\P{Cc}*$/u.test(folder));
  const path = [...new Set(folders.length > 0 ? folders : ['/usr/local/bin', '/usr/bin', '/bin'])].join(':');
  const given = WANTED.flatMap((name) =>
    /^\P{Cc}+$/u.test(env[name] ?? '') ? [[name, env[name] ?? ''] as const] : [],
  );
  return { BATON_HOME: homePath, PATH: path, ...Object.fromEntries(given) };
}
