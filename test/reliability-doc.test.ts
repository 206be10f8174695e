import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { PLANTS } from '../prove/plants/plants.mjs';
import { testTitles } from './support/test-titles.ts';

/** Checks docs/reliability against the tests, the planted bugs and the sentences in Baton's source. */

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LAST_ROW = 54;
/** The faults that are not in the table of docs/reliability/faults.md. The text below the table names their proofs. */
const ELSEWHERE = ['F34', 'F47', 'F51'];

const page = (name: string): string => readFileSync(join(ROOT, 'docs/reliability', name), 'utf8');
const section = (text: string, title: string): string => text.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? '';
const rowsIn = (text: string): string[][] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| row |') && !line.startsWith('| name |'))
    .map((line) =>
      line
        .split('|')
        .map((cell) => cell.trim())
        .slice(1, -1),
    );
const titles = testTitles();
const source = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(join(ROOT, 'src', name), 'utf8'))
  .join('\n');

/** The third column of a table row names tests by file and title. Returns the entries for which no test exists. */
function missingTests(column: string): string[] {
  return column.split('<br>').filter((entry) => {
    const [, file, title] = /^`(test\/[^`]+)` › (.+)$/.exec(entry) ?? [];
    return !titles.some((test) => test.file === file && test.title === title);
  });
}

describe('the table of faults', () => {
  const catalog = section(page('faults.md'), 'Catalog');
  const rows = rowsIn(catalog);

  it('the table of faults has one row for each fault of a handoff', () => {
    const all = Array.from({ length: LAST_ROW }, (_, index) => `F${index + 1}`);
    expect(rows.map(([row]) => row)).toEqual(all.filter((row) => !ELSEWHERE.includes(row)));
    for (const row of ELSEWHERE) expect(catalog).toContain(`${row} (`);
  });

  it.each(rows.map(([row = '', , tests = '', sentence = '']) => ({ row, tests, sentence })))(
    'the row $row of the table of faults names only tests that exist',
    ({ row, tests, sentence }) => {
      expect(missingTests(tests)).toEqual([]);
      const citing = titles.some(({ words }) => words.includes(`[${row}]`));
      expect(citing, `no test cites [${row}]`).toBe(true);
      if (sentence.startsWith('nothing: ')) return;
      const pieces = sentence
        .split('…')
        .map((piece) => piece.trim())
        .filter((piece) => piece.length > 3);
      expect(pieces.length).toBeGreaterThan(0);
      for (const piece of pieces) expect(source).toContain(piece);
    },
  );

  it('the check of the table of faults refuses a row that names a missing test', () => {
    const file = 'test/reliability-doc.test.ts';
    const title = 'the check of the table of faults refuses a row that names a missing test';
    expect(missingTests(`\`${file}\` › ${title}`)).toEqual([]);
    expect(missingTests(`\`test/gone.test.ts\` › ${title}<br>\`${file}\` › gone`)).toHaveLength(2);
    expect(missingTests('')).toHaveLength(1);
  });
});

it('the table of planted bugs lists every planted bug with the command that must catch it', () => {
  const rows = rowsIn(section(page('how-we-prove.md'), 'Planted bugs')).map(([name, what, by]) => [
    name,
    what,
    by?.split(',')[0],
  ]);
  expect(rows).toEqual(PLANTS.map(({ name, what, by }) => [`\`${name}\``, what, `\`${by}\``]));
});
