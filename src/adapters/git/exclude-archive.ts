import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { quietEnvironment, runGit } from './git-program.ts';
import { withoutNewline } from './read-place.ts';

const PATIENCE_MS = 10_000;

export interface ExcludedArchive {
  /** The path of this clone's own exclude file (`.git/info/exclude`), which is not part of any commit. */
  readonly file: string;
  readonly pattern: string;
  /** True if Baton added the pattern; false if the exclude file already had the pattern. */
  readonly added: boolean;
}

/**
 * Adds Baton's package archive in this folder to `.git/info/exclude`, so that `git add --all` does not commit the
 * archive. Throws if the folder is in no git repository.
 */
export async function excludeArchive(folder: string, env: NodeJS.ProcessEnv): Promise<ExcludedArchive> {
  const git = { env: quietEnvironment(env), signal: AbortSignal.timeout(PATIENCE_MS) };
  const ask = async (...args: string[]): Promise<string> => withoutNewline(await runGit(git, folder, args));
  const prefix = await ask('rev-parse', '--show-prefix');
  const file = resolve(folder, await ask('rev-parse', '--git-path', 'info/exclude'));
  const pattern = `/${prefix.replace(/[\\*?[\]]/g, '\\$&')}.project/07-audit/`;
  const before = await readFile(file, 'utf8').catch(() => '');
  if (before.split('\n').includes(pattern)) return { file, pattern, added: false };
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${before}${before === '' || before.endsWith('\n') ? '' : '\n'}${pattern}\n`);
  return { file, pattern, added: true };
}
