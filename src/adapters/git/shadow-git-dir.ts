import { copyFile, mkdir, readdir, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Git, ifAny, runGit } from './git-program.ts';
import { type Place, withoutNewline } from './read-place.ts';

/** The settings that git uses in the shadow git dir. */
export interface ShadowSettings {
  /** The content of the file `config` in the shadow git dir. */
  readonly config: string;
  /** The path of the operator's global ignore file; undefined if there is none. */
  readonly ignore: string | undefined;
}

export interface ShadowPlan extends Pick<Place, 'root' | 'head' | 'paths'> {
  readonly settings: ShadowSettings;
  /** The commit of the branch's upstream. `git status --branch` compares HEAD with this commit. */
  readonly upstream?: string | undefined;
}

/**
 * Settings of the repository that affect how files are compared, and their allowed values. None of these settings names
 * a program.
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

const EXCLUDES_FILE = 'core.excludesfile';

const BRANCH = 'none';
const UPSTREAM = 'upstream';
const TRACKING = `[branch "${BRANCH}"]\n\tremote = .\n\tmerge = refs/heads/${UPSTREAM}\n`;

const MAX_COPY = 256 * 1024 * 1024;

/**
 * Creates a git dir with the repository's objects, a copy of its index, and settings that Baton wrote. In this git dir,
 * `status` and `diff` cannot run programs that the repository's own settings name, such as filters, fsmonitor, textconv
 * and hooks.
 */
export async function createShadowGitDir(git: Git, own: string, plan: ShadowPlan): Promise<Git> {
  const { root, head, paths, settings, upstream } = plan;
  await Promise.all(['refs/heads', 'info'].map((name) => mkdir(join(own, name), { recursive: true })));
  const isTracking = head !== null && upstream !== undefined;
  const branch = head === null || isTracking ? `ref: refs/heads/${BRANCH}` : head;
  await Promise.all([
    writeFile(join(own, 'config'), `${settings.config}${isTracking ? TRACKING : ''}`),
    writeFile(join(own, 'HEAD'), `${branch}\n`),
    ...(isTracking
      ? [
          writeFile(join(own, 'refs/heads', BRANCH), `${head}\n`),
          writeFile(join(own, 'refs/heads', UPSTREAM), `${upstream}\n`),
        ]
      : []),
    copyIndex(paths.index, own),
    copyIfFile(paths.exclude, join(own, 'info/exclude')),
    copyIfFile(paths.attributes, join(own, 'info/attributes')),
    copyIfFile(paths.shallow, join(own, 'shallow')),
  ]);
  const { ignore } = settings;
  const env = {
    ...git.env,
    // Before git 2.32, only an empty home folder hides the operator's own settings and the filters that they name.
    HOME: own,
    XDG_CONFIG_HOME: own,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_DIR: own,
    GIT_WORK_TREE: root,
    GIT_OBJECT_DIRECTORY: paths.objects,
    ...(ignore === undefined
      ? {}
      : { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'core.excludesFile', GIT_CONFIG_VALUE_0: ignore }),
  };
  return { ...git, env };
}

/**
 * With one git command, reads the settings for comparing files, and the path of the operator's global ignore file.
 * Leaves out settings whose value is not allowed.
 */
export async function readShadowSettings(git: Git, folder: string): Promise<ShadowSettings> {
  const names = [...Object.keys(COMPARING), EXCLUDES_FILE].map((name) => name.replace('.', '\\.'));
  const found = (await ifAny(runGit(git, folder, ['config', '-z', '--get-regexp', `^(${names.join('|')})$`]))) ?? '';
  const kept = new Map<string, string>();
  let excludes: string | undefined;
  for (const entry of found.split('\0')) {
    const [key = '', ...value] = entry.split('\n');
    if (key === EXCLUDES_FILE && value.length > 0) excludes = value.join('\n');
    else if (COMPARING[key]?.test(value[0] ?? '')) kept.set(key, value[0] ?? '');
  }
  const format = kept.has('extensions.objectformat') ? 1 : 0;
  const lines = [...kept].map(([key, value]) => key.replace(/^(\w+)\.(\w+)$/, `[$1]\n\t$2 = ${value}\n`));
  return {
    config: `[core]\n\trepositoryformatversion = ${format}\n\tbare = false\n${lines.join('')}`,
    ignore: await globalIgnore(git, folder, excludes),
  };
}

/**
 * Sets the time of the copied index back to the full second. With the exact time, git would miss a file that changed in
 * the same second as the index.
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
 * Returns the path of the operator's global ignore file. The shadow git dir needs this file, because without it the
 * files that the operator ignores in all repositories would count as untracked files.
 */
async function globalIgnore(git: Git, folder: string, named: string | undefined): Promise<string | undefined> {
  const { XDG_CONFIG_HOME: config, HOME: home } = git.env;
  const path = named === undefined ? undefined : await expandPath(git, folder, named);
  if (path !== undefined) return path;
  return config ? join(config, 'git/ignore') : home ? join(home, '.config/git/ignore') : undefined;
}

/**
 * Expands the usual forms of a path without git. Lets git expand all other forms, for example `~user/` and
 * `%(prefix)/`.
 */
async function expandPath(git: Git, folder: string, path: string): Promise<string | undefined> {
  if (!/^[~%:]/.test(path)) return path;
  if (git.env.HOME && path.startsWith('~/')) return `${git.env.HOME}${path.slice(1)}`;
  const expanded = await ifAny(runGit(git, folder, ['config', '--type=path', '--get', EXCLUDES_FILE]));
  return expanded === undefined ? undefined : withoutNewline(expanded);
}
