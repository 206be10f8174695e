import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Home } from './open-home.ts';

/**
 * Matches the names of temporary files. Such files are left over if Baton is killed while it writes a file, the tmux
 * options, a backup or an export.
 */
const OURS = /(?:\.\d+-[0-9a-f]{8}|\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|^(?:backup|export)-[0-9a-f]{8})\.tmp$/;

/** The age at which a temporary file counts as a leftover. No write of Baton takes this long. */
const OLD_MS = 6 * 3_600_000;

/**
 * Removes temporary files of killed writers, but only old files that have Baton's own names and are in Baton's own
 * folders.
 */
export async function sweepLeftovers(home: Home, nowMs = Date.now()): Promise<readonly string[]> {
  const personas = join(home.path, 'data/personas');
  const folders = [home.path, home.bin, home.documents, home.adopted, join(home.path, 'data/templates')];
  for (const parent of [home.agents, personas])
    for (const name of await namesIn(parent)) folders.push(join(parent, name), join(parent, name, 'handoffs'));
  const removed: string[] = [];
  for (const folder of folders) {
    for (const name of await namesIn(folder)) {
      if (!OURS.test(name)) continue;
      const path = join(folder, name);
      const found = await lstat(path).catch(() => undefined);
      if (found?.isFile() !== true || nowMs - found.mtimeMs < OLD_MS) continue;
      await rm(path, { force: true }).catch(() => undefined);
      removed.push(path);
    }
  }
  return removed;
}

const namesIn = (folder: string): Promise<readonly string[]> => readdir(folder).catch(() => []);
