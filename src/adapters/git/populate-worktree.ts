import { copyFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { KnownWorktree } from '../../app/ports/worktrees.ts';
import { type Git, runGit } from './git-program.ts';
import { readPlace } from './read-place.ts';
import { createShadowGitDir, readShadowSettings } from './shadow-git-dir.ts';

/**
 * Writes the files of the commit through a shadow git dir. A shadow git dir has the repository's objects but none of
 * its settings, so git does not know which program a filter runs. The resulting index becomes the index of the
 * worktree.
 */
export async function populateWorktree(git: Git, own: string, { path, base }: KnownWorktree): Promise<void> {
  const [{ paths }, settings] = await Promise.all([readPlace(git, path), readShadowSettings(git, path)]);
  const beside = await createShadowGitDir(git, own, { root: path, head: base, paths, settings });
  await runGit(beside, path, ['read-tree', '--reset', '-u', base]);
  const { index } = paths;
  await copyFile(join(own, 'index'), `${index}.baton`);
  await rename(`${index}.baton`, index);
}
