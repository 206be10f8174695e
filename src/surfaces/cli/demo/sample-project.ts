import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

const FILES: Readonly<Record<string, string>> = {
  'README.md': `# tally

Counts lines, words and characters of text files, and says which words come up most.

    node src/tally.mjs README.md
`,
  'PLAN.md': `# Plan for tally

- [ ] Count lines, words and characters of one file
- [ ] Read standard input when no file is named
- [ ] Print a total when several files are named
- [ ] List the ten most frequent words with --top
- [ ] Ignore case and punctuation when counting words
- [ ] Write a usage message and tests for wrong options
`,
  'src/tally.mjs': `import { readFileSync } from 'node:fs';

const [path] = process.argv.slice(2);
const text = readFileSync(path, 'utf8');
console.log(text.split('\\n').length, path);
`,
  // Thinking makes the work visible; the small window is nearly full after three steps of the plan. Writing slowly
  // keeps the run in awaiting_document for a second, long enough to kill a server in it.
  '.practice.json': `${JSON.stringify({ thinkMs: 400, contextWindow: 9_000, handoff: 'slow' })}\n`,
};

/** A believable little project. False: it is there, but without git. */
export function makeSampleProject(folder: string): boolean {
  for (const [file, text] of Object.entries(FILES)) {
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
