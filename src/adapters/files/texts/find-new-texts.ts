import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Instant } from '../../../domain/instant.ts';

const MAX_FOLDERS = 50;
const MAX_FILES = 2_000;
const MAX_FOUND = 5;
/**
 * The tolerance for file times. Clocks of file systems are coarse, so a file that seems up to one second too old still
 * counts as changed.
 */
const SLACK_MS = 1_000;

/**
 * Lists the texts that changed since the given time, newest first. Skips symbolic links, hidden folders and
 * `node_modules`, because no agent writes a document there.
 */
export async function findNewTexts(folders: readonly string[], since: Instant): Promise<readonly string[]> {
  const from = Date.parse(since) - SLACK_MS;
  const found: { readonly path: string; readonly changedMs: number }[] = [];
  let looked = 0;
  for (const folder of folders) {
    const entries = await readFolder(folder);
    const below = entries.filter(isPlace).slice(0, MAX_FOLDERS);
    for (const place of [folder, ...below.map(({ name }) => join(folder, name))]) {
      for (const entry of place === folder ? entries : await readFolder(place)) {
        if (!entry.isFile() || !/\.(?:md|txt)$/i.test(entry.name) || ++looked > MAX_FILES) continue;
        const path = join(place, entry.name);
        const changedMs = await lstat(path).then(
          ({ mtimeMs }) => mtimeMs,
          () => 0,
        );
        if (changedMs >= from && !found.some((each) => each.path === path)) found.push({ path, changedMs });
      }
    }
  }
  return found
    .sort((one, other) => other.changedMs - one.changedMs)
    .slice(0, MAX_FOUND)
    .map(({ path }) => path);
}

const isPlace = (entry: Dirent): boolean =>
  entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules';

/** A folder that cannot be read counts as empty. */
const readFolder = (folder: string): Promise<readonly Dirent[]> =>
  readdir(folder, { withFileTypes: true }).catch(() => []);
