import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { PLANTS } from '../prove/plants/plants.mjs';
import { testTitles } from './support/test-titles.ts';

/** Checks docs/RELIABILITY.md against the tests and against Baton's own sentences. */

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LAST_ROW = 54;
/** Faults outside the pipeline, or of later work; the document says why. */
const ELSEWHERE = ['F34', 'F47', 'F51'];

const document = readFileSync(join(ROOT, 'docs/RELIABILITY.md'), 'utf8');
const section = (title: string): string => document.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? '';
const rowsOf = (title: string): string[][] =>
  section(title)
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

describe('the table of faults', () => {
  const rows = rowsOf('Faults');

  it('has every fault of the catalog that concerns the pipeline once, and names the others', () => {
    const all = Array.from({ length: LAST_ROW }, (_, index) => `F${index + 1}`);
    expect(rows.map(([row]) => row)).toEqual(all.filter((row) => !ELSEWHERE.includes(row)));
    for (const row of ELSEWHERE) expect(section('Faults')).toContain(`${row} (`);
  });

  it.each(rows.map(([row = '', , tests = '', sentence = '']) => ({ row, tests, sentence })))(
    '$row names existing tests and an existing sentence',
    ({ row, tests, sentence }) => {
      const named = tests.split('<br>').map((each) => /^`(test\/[^`]+)` › (.+)$/.exec(each)?.slice(1) ?? [each, '']);
      for (const [file, title] of named)
        expect(
          titles.some((test) => test.file === file && test.title === title),
          `${file} › ${title}`,
        ).toBe(true);
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
});

it('the table of planted bugs lists every plant and the proof that must catch it', () => {
  const rows = rowsOf('Planted bugs').map(([name, what, by]) => [name, what, by?.split(',')[0]]);
  expect(rows).toEqual(PLANTS.map(({ name, what, by }) => [`\`${name}\``, what, `\`${by}\``]));
});
