import { copyFile, mkdir, readdir, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type Git, ifAny, runGit } from './git-program.ts';

export interface Place {
  readonly root: string;
  readonly head: string | null;
}

/**
 * Settings of the repository that decide how its files compare, and their allowed values. None of them names a program.
 */
const COMPARING: Readonly<Record<string, RegExp>> = {
  'core.autocrlf': /^(true|false|input)$/i,
  'core.eol': /^(lf|crlf|native)$/i,
  'core.filemode': /^(true|false)$/i,
  'core.symlinks': /^(true|false)$/i,
  'core.ignorecase': /^(true|false)$/i,
  'core.trustctime': /^(true|false)$/i,
  'core.precomposeunicode': /^(true|false)$/i,
  'extensions.objectformat': /^(sha1|sha256)$/i,
};

const MAX_COPY = 256 * 1024 * 1024;

/**
 * Creates a git dir of our own beside the repository's, with the repository's objects, a copy of its index, and
 * settings that we wrote. `status` and `diff` then cannot run programs that the repository's settings name (filters,
 * fsmonitor, textconv, hooks, a promisor's ssh command), because they never see those settings. Overriding the settings
 * is not enough, because filters have no switch, and settings can change between reading and running.
 */
export async function createShadowGitDir(git: Git, folder: string, own: string, place: Place): Promise<Git> {
  const pathOf = async (name: string): Promise<string> =>
    resolve(folder, withoutNewline(await runGit(git, folder, ['rev-parse', '--git-path', name])));
  const [index, objects, exclude, attributes, shallow] = await Promise.all(
    ['index', 'objects', 'info/exclude', 'info/attributes', 'shallow'].map(pathOf),
  );
  if (!index || !objects || !exclude || !attributes || !shallow) throw new Error('git reported no paths');
  await Promise.all(['refs', 'info'].map((name) => mkdir(join(own, name))));
  await writeFile(join(own, 'config'), await settings(git, folder));
  await writeFile(join(own, 'HEAD'), place.head === null ? 'ref: refs/heads/none\n' : `${place.head}\n`);
  await copyIndex(index, own);
  await copyIfFile(exclude, join(own, 'info/exclude'));
  await copyIfFile(attributes, join(own, 'info/attributes'));
  await copyIfFile(shallow, join(own, 'shallow'));
  const ignore = await globalIgnore(git, folder);
  const env = {
    ...git.env,
    // Before git 2.32 only an empty home excludes the operator's own settings and the filters that they name.
    HOME: own,
    XDG_CONFIG_HOME: own,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_DIR: own,
    GIT_WORK_TREE: place.root,
    GIT_OBJECT_DIRECTORY: objects,
    ...(ignore === undefined
      ? {}
      : { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'core.excludesFile', GIT_CONFIG_VALUE_0: ignore }),
  };
  return { ...git, env };
}

export const withoutNewline = (output: string): string => output.replace(/\n$/, '');

async function settings(git: Git, folder: string): Promise<string> {
  const names = Object.keys(COMPARING).map((name) => name.replace('.', '\\.'));
  const found = (await ifAny(runGit(git, folder, ['config', '-z', '--get-regexp', `^(${names.join('|')})$`]))) ?? '';
  const kept = new Map<string, string>();
  for (const entry of found.split('\0')) {
    const [key = '', value = ''] = entry.split('\n');
    if (COMPARING[key]?.test(value)) kept.set(key, value);
  }
  const format = kept.has('extensions.objectformat') ? 1 : 0;
  const lines = [...kept].map(([key, value]) => key.replace(/^(\w+)\.(\w+)$/, `[$1]\n\t$2 = ${value}\n`));
  return `[core]\n\trepositoryformatversion = ${format}\n\tbare = false\n${lines.join('')}`;
}

/**
 * Sets the time of the copy back to the full second, so that git compares files that changed within the index's own
 * second and does not assume that they are unchanged.
 */
async function copyIndex(index: string, own: string): Promise<void> {
  const copy = join(own, 'index');
  if (!(await copyIfFile(index, copy))) return;
  const seconds = Math.floor((await stat(index)).mtimeMs / 1000);
  await utimes(copy, seconds, seconds);
  for (const name of await readdir(dirname(index)))
    if (/^sharedindex\.[0-9a-f]+$/.test(name)) await symlink(join(dirname(index), name), join(own, name));
}

async function copyIfFile(from: string, to: string): Promise<boolean> {
  const found = await stat(from).catch(() => undefined);
  if (!found?.isFile() || found.size > MAX_COPY) return false;
  await copyFile(from, to);
  return true;
}

/**
 * The operator's global ignore file. The repository does not name it, and without it the operator's notes would count
 * as untracked files.
 */
async function globalIgnore(git: Git, folder: string): Promise<string | undefined> {
  const named = await ifAny(runGit(git, folder, ['config', '--type=path', '--get', 'core.excludesFile']));
  if (named !== undefined) return withoutNewline(named);
  const { XDG_CONFIG_HOME: config, HOME: home } = git.env;
  return config ? join(config, 'git/ignore') : home ? join(home, '.config/git/ignore') : undefined;
}
