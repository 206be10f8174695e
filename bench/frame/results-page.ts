import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../scripts/setup/paths.mjs';
import type { Part, PartResult } from './part.ts';

const PAGE = join(ROOT, 'docs/internals/bench-results.md');

/** The last stored result of one part of the bench. */
export interface Kept {
  readonly title: string;
  readonly goal: string;
  readonly commit: string;
  readonly date: string;
  /** The load average when the part ended. On a busy machine, ratios are less certain. */
  readonly load: number;
  readonly result: PartResult;
}

/** Stores the results in docs/internals/bench-results.md. Parts that were not run keep their last result. */
export function writeResults(
  measured: readonly { readonly part: Part; readonly load: number; readonly result: PartResult }[],
): void {
  const kept = readKept();
  const [commit, date] = [currentCommit(), new Date().toISOString().slice(0, 10)];
  for (const { part, load, result } of measured)
    kept[part.id] = { title: part.title, goal: part.goal, commit, date, load, result };
  writeFileSync(PAGE, renderResults(kept));
}

/** Reads the stored results from the block of JSON in docs/internals/bench-results.md. */
function readKept(): Record<string, Kept> {
  const text = existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : '';
  const [, json] = /^```json\n([\s\S]*?)\n```$/m.exec(text) ?? [];
  return json === undefined ? {} : (JSON.parse(json) as Record<string, Kept>);
}

export function renderResults(kept: Readonly<Record<string, Kept>>): string {
  const all = Object.entries(kept).sort(([one], [other]) => Number(one.slice(1)) - Number(other.slice(1)));
  return [
    '# Results of npm run bench',
    '',
    '`npm run bench -- --write` writes this page. Floor prototypes (`bench/floor`) and the built product take turns in one run,',
    'and a ratio is the median of the ratios of the rounds, so only ratios can be compared between machines. Times leave out the',
    'settle time (`settle_ms`), which Baton lets a screen rest between paste and Enter because the runtime asks for it.',
    '',
    '| part | measures | goal | result | commit | day | load |',
    '|---|---|---|---|---|---|---|',
    ...all.map(([id, { title, goal, commit, date, load, result }]) =>
      ['', id, title, goal, figures(result), commit, date, load, ''].join(' | ').trim(),
    ),
    '',
    '[Where the time goes](where-the-time-goes.md) explains the goals that are not reached.',
    '',
    'The same as JSON, which the next `--write` reads:',
    '',
    '```json',
    JSON.stringify(Object.fromEntries(all), undefined, 2),
    '```',
    '',
  ].join('\n');
}

const figures = (result: PartResult): string =>
  Object.entries(result)
    .filter(([, value]) => typeof value !== 'object')
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');

/**
 * Returns the current commit. Adds a mark if there are uncommitted changes, because the results then belong to no
 * commit.
 */
function currentCommit(): string {
  const git = (...words: string[]) => execFileSync('git', words, { cwd: ROOT, encoding: 'utf8' }).trim();
  return `${git('rev-parse', '--short=7', 'HEAD')}${git('status', '--porcelain') === '' ? '' : ' with changes'}`;
}
