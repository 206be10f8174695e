import { readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** Folders in which git and Baton keep their own files. */
const NOT_WORK = ['.git', '.project'];

/** Lists the files of the sample project that the agents work on, as paths relative to the project. */
export function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => !NOT_WORK.includes(path.split(sep)[0] ?? ''))
    .sort();
}

export function newFiles(folder: string, before: readonly string[]): string[] {
  return filesIn(folder).filter((path) => !before.includes(path));
}
