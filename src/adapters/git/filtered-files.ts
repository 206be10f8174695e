import { lstat, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Git, runGit } from './git-program.ts';

/**
 * Finds files that a filter stores in another form (LFS, git-crypt). Without the filter, even unchanged files of this
 * kind look changed. The parameter `git` must run git in a shadow git dir.
 */
export async function filteredFiles(git: Git, root: string, paths: readonly string[]): Promise<ReadonlySet<string>> {
  if (paths.length === 0 || !(await mayHaveAttributes(git, root, paths))) return new Set();
  const output = await runGit(git, root, ['check-attr', '-z', '--stdin', 'filter'], `${paths.join('\0')}\0`);
  const answer = output.split('\0');
  const isFiltered = (value: string | undefined): boolean =>
    !['unspecified', 'unset', 'set'].includes(value ?? 'unset');
  return new Set(answer.filter((_, index) => index % 3 === 0 && isFiltered(answer[index + 2])));
}

const NAME = '.gitattributes';
const MAX_INDEX = 32 * 1024 * 1024;

/**
 * Returns whether any of these files may have a git attribute. If this function returns false, Baton need not run git.
 * Attributes can be in `info/attributes`, in the folders above a file and, for folders that are not checked out, in the
 * index.
 */
async function mayHaveAttributes({ env }: Git, root: string, paths: readonly string[]): Promise<boolean> {
  const own = env.GIT_DIR ?? '';
  const folders = new Set(paths.flatMap(foldersAbove));
  const files = [join(own, 'info/attributes'), ...[...folders].map((folder) => join(root, folder, NAME))];
  const found = await Promise.all(files.map((file) => lstat(file).then(() => true, isNotAbsence)));
  return found.includes(true) || (await indexMayName(join(own, 'index'), NAME));
}

function foldersAbove(path: string): readonly string[] {
  const above = dirname(path);
  return above === '.' ? ['.'] : [above, ...foldersAbove(above)];
}

const isNotAbsence = (error: NodeJS.ErrnoException): boolean => error.code !== 'ENOENT' && error.code !== 'ENOTDIR';

/**
 * Returns whether the index may contain a file with this name. Only versions 2 and 3 of the index contain each path as
 * plain text. For all other formats, for example a split or sparse index, the function returns true.
 */
async function indexMayName(index: string, name: string): Promise<boolean> {
  const { size } = await lstat(index);
  if (size > MAX_INDEX) return true;
  const content = await readFile(index);
  const isPlain = content.readUInt32BE(4) < 4 && !['link\0', 'sdir'].some((extension) => content.includes(extension));
  return !isPlain || content.includes(name);
}
