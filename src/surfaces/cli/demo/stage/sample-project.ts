import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { sampleFiles } from '../../../../contract/sample-project.ts';

/** Thinking makes the work visible; the small window is nearly full after three steps of the plan. */
const PACE = { thinkMs: 400, contextWindow: 9_000 };

/** Creates a small, realistic project; returns false if git could not be set up in it. */
export function makeSampleProject(folder: string): boolean {
  for (const [file, text] of Object.entries(sampleFiles(PACE))) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  const git = (...words: string[]): boolean => {
    const identity = ['-c', 'user.name=Baton demo', '-c', 'user.email=demo@baton.invalid'];
    const config = ['-c', 'init.defaultBranch=main', ...identity];
    // The operator's own configuration could sign the commit, and ask for a passphrase.
    const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
    return spawnSync('git', [...config, ...words], { cwd: folder, env, stdio: 'ignore' }).status === 0;
  };
  return git('init', '--quiet') && git('add', '--all') && git('commit', '--quiet', '--message', 'tally: first sketch');
}

/** All files but git's own, as paths inside the project. */
export function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => !path.startsWith(`.git${sep}`))
    .sort();
}

export function newFiles(folder: string, before: readonly string[]): string[] {
  return filesIn(folder).filter((path) => !before.includes(path));
}
