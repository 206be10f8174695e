import { type Dirent, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CliFault, EXIT } from '../cli-fault.ts';

export const isGlob = (name: string): boolean => /[*?]/.test(name) && !existsSync(name);

/**
 * Returns the files that are named, and the files that match a pattern with `*`, `?` and `**`. Returns each file once.
 * A pattern does not lead through symbolic links to folders. Throws CliFault if a pattern matches no file.
 */
export function expandFiles(names: readonly string[]): readonly string[] {
  const files = names.flatMap((name) => {
    if (!isGlob(name)) return [name];
    const found = matching(
      name.startsWith('/') ? '/' : '',
      name.split('/').filter((part) => part !== ''),
    );
    if (found.length > 0) return found.sort();
    throw new CliFault(`No file matches ${name}.`, { code: 'unreadable', exitCode: EXIT.usage });
  });
  return [...new Set(files)];
}

function matching(folder: string, [part, ...rest]: readonly string[]): string[] {
  if (part === undefined) return [];
  const entries = entriesOf(folder);
  const deeper = part === '**' ? entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.')) : [];
  const below = deeper.flatMap(({ name }) => matching(join(folder, name), [part, ...rest]));
  if (part === '**') return [...matching(folder, rest), ...below];
  if (rest.length > 0 && (part === '.' || part === '..')) return matching(join(folder, part), rest);
  return entries
    .filter(({ name }) => isMatch(name, part) && (part.startsWith('.') || !name.startsWith('.')))
    .flatMap((entry) => {
      const place = join(folder, entry.name);
      if (rest.length > 0) return entry.isDirectory() ? matching(place, rest) : [];
      return entry.isFile() ? [place] : [];
    });
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder === '' ? '.' : folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/**
 * Matches a name with a pattern: `*` matches any text, `?` one character. Backtracks only to the last `*`, so the time
 * is at most quadratic.
 */
export function isMatch(name: string, pattern: string): boolean {
  let [at, by, star, from] = [0, 0, -1, 0];
  while (at < name.length) {
    if (pattern[by] === '*') [star, from, by] = [by, at, by + 1];
    else if (by < pattern.length && (pattern[by] === '?' || pattern[by] === name[at])) [at, by] = [at + 1, by + 1];
    else if (star >= 0) [from, at, by] = [from + 1, from + 1, star + 1];
    else return false;
  }
  return pattern.slice(by).replaceAll('*', '') === '';
}
