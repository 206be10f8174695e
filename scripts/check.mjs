// Runs all checks that examine the code without running Baton. Prints one line for each check, and the output of
// each check that failed.
//
//   npm run check [-- --json]    with --json the last line contains the measures of the code

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import {
  anyTypes,
  headlessTexts,
  importCycles,
  largeFolders,
  longestFunction,
  readCode,
  repeatedBlocks,
  retiredWords,
} from './house/measure.mjs';
import { withLock } from './setup/lock.mjs';
import { ROOT } from './setup/paths.mjs';
import { run } from './setup/run.mjs';

/**
 * Returns the path of a program of node_modules. npx is not used, because `npm run check` must not depend on the PATH.
 */
const program = (/** @type {string} */ path) => [process.execPath, join(ROOT, 'node_modules', path)];
const colors = process.stdout.isTTY ? 'force' : 'off';
const { values } = parseArgs({ options: { json: { type: 'boolean', default: false } } });

/** @type {{ name: string, hint: string, work: () => Promise<{ code: number, output: string }> }[]} */
const parts = [
  {
    name: 'format and lint',
    hint: 'npm run format mends the formatting',
    work: () => inRoot([...program('@biomejs/biome/bin/biome'), 'ci', `--colors=${colors}`, '--max-diagnostics=200']),
  },
  {
    name: 'types',
    hint: '',
    // Take the setup lock during the type check. The compiler writes to dist/, and a build must not write to dist/ at
    // the same time.
    work: () => withLock(({ addProcess }) => inRoot([...program('typescript/bin/tsc'), '-b'], addProcess)),
  },
  {
    name: 'layers',
    hint: 'what is allowed is in test/support/layers.ts and pane-writers.ts',
    work: () =>
      inRoot([
        ...program('vitest/vitest.mjs'),
        'run',
        '--reporter=dot',
        'test/layers.test.ts',
        'test/pane-writers.test.ts',
      ]),
  },
  {
    name: 'lock file',
    hint: 'npm run lock:complete adds what a registry does not serve, and takes addresses out',
    work: () => inRoot([process.execPath, join(ROOT, 'scripts/complete-lock.mjs'), '--check']),
  },
  {
    name: 'words and rooms',
    hint: 'CONTRIBUTING.md has the rules',
    work: async () => {
      const found = offences();
      return { code: found.length === 0 ? 0 : 1, output: found.join('\n') };
    },
  },
  {
    name: 'dead code',
    hint: 'remove it, or use it',
    work: () => inRoot([...program('knip/bin/knip.js'), '--no-progress']),
  },
];

function offences() {
  const code = readCode(ROOT);
  return [headlessTexts, retiredWords, largeFolders, importCycles, anyTypes, repeatedBlocks].flatMap((find) =>
    find(code),
  );
}

function measures() {
  const code = readCode(ROOT);
  const own = Object.entries(code).filter(([file]) => file.startsWith('src/'));
  return {
    files: own.length,
    lines: own.reduce((sum, [, text]) => sum + text.split('\n').length - 1, 0),
    folders_over_15: largeFolders(code).length,
    cycles: importCycles(code).length,
    any: anyTypes(code).length,
    headless_comments: headlessTexts(code).length,
    retired_words: retiredWords(code).length,
    repeated_blocks: repeatedBlocks(code).length,
    longest_function: longestFunction(code).lines,
    architecture_lines: readFileSync(join(ROOT, 'docs/ARCHITECTURE.md'), 'utf8').split('\n').length - 1,
  };
}

/**
 * @param {string[]} command
 * @param {(pid: number) => void} [onStart]
 */
function inRoot(command, onStart) {
  return run(command, { cwd: ROOT, ...(onStart && { onStart }) });
}

const failed = [];
for (const part of parts) {
  const startedAt = performance.now();
  const { code, output } = await part.work();
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'}  ${part.name.padEnd(16)} ${seconds.padStart(5)} s`);
  if (code !== 0) failed.push({ ...part, output });
}

for (const { name, hint, output } of failed) {
  console.log(`\n── ${name}${hint ? ` (${hint})` : ''}\n\n${output.trim()}`);
}
if (failed.length > 0) {
  console.log(`\n${failed.length} of ${parts.length} checks failed: ${failed.map((part) => part.name).join(', ')}`);
  process.exitCode = 1;
}
if (values.json) console.log(JSON.stringify(measures()));
