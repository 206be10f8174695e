// Stores the result of a proof in docs/reliability/results/ and writes all results to docs/reliability/results.md.
// `npm test` fails if results.md does not match the stored results.
//
//   npm run docs:results
//   npm run soak -- --json | npm run docs:results -- --add "npm run soak" [--note TEXT] [--commit SHA] [--date DAY]
//
// --add stores the result from the last line of standard input. Without --commit and --date, the stored result names
// the current commit and today's date.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../setup/paths.mjs';
import { fileOf, KEPT, PAGE, proofOf, readResults, renderResults } from './render-results.mjs';

const { values } = parseArgs({
  options: {
    add: { type: 'string' },
    note: { type: 'string' },
    commit: { type: 'string' },
    date: { type: 'string' },
  },
});

if (values.add !== undefined) keep(values.add);
writeFileSync(PAGE, renderResults(readResults(KEPT)));

/** @param {string} command */
function keep(command) {
  const proof = proofOf(command);
  const file = join(KEPT, fileOf(proof));
  const earlier = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
  const entry = {
    proof,
    command,
    commit: values.commit ?? currentCommit(),
    date: values.date ?? new Date().toISOString().slice(0, 10),
    ...(values.note === undefined ? {} : { note: values.note }),
    result: JSON.parse(readFileSync(0, 'utf8').trim().split('\n').at(-1) ?? ''),
  };
  writeFileSync(file, `${JSON.stringify([...earlier, entry], undefined, 2)}\n`);
}

/**
 * Returns the current commit. Adds a mark if there are uncommitted changes, because the result then belongs to no
 * commit.
 */
function currentCommit() {
  const git = (/** @type {string[]} */ ...words) => execFileSync('git', words, { cwd: ROOT, encoding: 'utf8' }).trim();
  return `${git('rev-parse', '--short=7', 'HEAD')}${git('status', '--porcelain') === '' ? '' : ' with changes'}`;
}
