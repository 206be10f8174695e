import { lstat } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { errorMessage } from '../../app/error-message.ts';
import type { ProjectFacts } from '../../app/ports/files/project-facts.ts';
import type { GitFacts, GitUnknown } from '../../domain/handoffs/document/git-facts.ts';
import { withoutControls } from '../../domain/plain-text.ts';
import { GitFault, howToTrust, quietEnvironment } from './git-program.ts';
import { commitsToLookUp, readRepositoryFacts } from './repository-facts.ts';
import { inScratchFolder } from './scratch-folder.ts';
import { shareLooks } from './share-looks.ts';

export interface ProjectFactsOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs?: number;
}

export function createProjectFacts({ env, timeoutMs = 5_000 }: ProjectFactsOptions): ProjectFacts {
  const look = shareLooks(async (folder, commits) => {
    const tooLate = new AbortController();
    const git = { env: quietEnvironment(env), signal: tooLate.signal };
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        tooLate.abort();
        reject(new GitFault('too_slow', 'git did not answer in time'));
      }, timeoutMs);
    });
    const facts = inScratchFolder((own) => readRepositoryFacts(git, folder, own, commits));
    return Promise.race([facts, late])
      .catch((error: unknown): GitFacts => unknown(error, folder, timeoutMs))
      .finally(() => clearTimeout(timer));
  });
  return {
    git: (folder, commits = []) => look(folder, commitsToLookUp(commits)),
    missingPaths: async (folder, paths) => {
      const missing = await Promise.all(paths.map(async (path) => ((await isMissing(folder, path)) ? [path] : [])));
      return missing.flat();
    },
  };
}

/**
 * Checks only paths inside the project, because a document must not make Baton access other paths, for example a path
 * that an automounter would mount.
 */
async function isMissing(folder: string, path: string): Promise<boolean> {
  const inside = relative(folder, resolve(folder, path));
  if (inside === '' || inside.startsWith('..') || isAbsolute(inside)) return false;
  return lstat(join(folder, inside)).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === 'ENOENT' || error.code === 'ENOTDIR',
  );
}

function unknown(error: unknown, folder: string, timeoutMs: number): GitUnknown {
  const why = error instanceof GitFault ? error.why : 'failed';
  return { kind: 'unknown', why, sentence: sentenceOf(why, folder, timeoutMs, errorMessage(error)) };
}

function sentenceOf(why: GitUnknown['why'], folder: string, timeoutMs: number, detail: string): string {
  switch (why) {
    case 'not_a_repository':
      return `${folder} is not in a git repository, so Baton cannot compare the handoff document with git.`;
    case 'no_work_tree':
      return `${folder} is inside a git repository without a work tree, so there are no files to compare.`;
    case 'not_trusted':
      return howToTrust(withoutControls(detail), folder);
    case 'no_git':
      return 'git was not found on the PATH, so Baton does not know what changed in the project.';
    case 'too_slow':
      return `git did not answer for ${folder} within ${timeoutMs / 1000} seconds, so Baton does not know what changed.`;
    case 'failed':
      return `git could not report what changed in ${folder}: ${withoutControls(detail).slice(0, 200)}`;
  }
}
