import { copyFile, rename } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { KnownWorktree } from '../../app/ports/worktrees.ts';
import { type Git, runGit } from './git-program.ts';
import { createShadowGitDir, withoutNewline } from './shadow-git-dir.ts';

/**
 * Writes the files of the commit through a shadow git dir, which has the repository's objects and none of its settings.
 * So attributes may name a filter, but no setting names a program for it. The resulting index becomes the worktree's
 * own.
 */
export async function populateWorktree(git: Git, own: string, { path, base }: KnownWorktree): Promise<void> {
  const beside = await createShadowGitDir(git, path, own, { root: path, head: base });
  await runGit(beside, path, ['read-tree', '--reset', '-u', base]);
  const named = await runGit(git, path, ['rev-parse', '--git-path', 'index']);
  const index = resolve(path, withoutNewline(named));
  await copyFile(join(own, 'index'), `${index}.baton`);
  await rename(`${index}.baton`, index);
}
