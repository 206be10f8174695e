import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileOf, KEPT, PAGE, proofOf, readResults, renderResults } from '../../scripts/prove/render-results.mjs';

describe('docs/reliability/results.md', () => {
  it('docs/reliability/results.md is exactly the output of npm run docs:results', () => {
    expect(readFileSync(PAGE, 'utf8')).toBe(renderResults(readResults(KEPT)));
  });

  it.each(readdirSync(KEPT))('the result file %s names the tests, command, commit and day of each run', (name) => {
    for (const { proof, command, commit, date } of JSON.parse(readFileSync(join(KEPT, name), 'utf8'))) {
      expect(proofOf(command)).toBe(proof);
      expect(fileOf(proof)).toBe(name);
      expect(commit).toMatch(/^([0-9a-f]{7,10}( with changes)?|unknown)$/);
      expect(date).toMatch(/^20\d\d-\d\d-\d\d$/);
    }
  });
});

describe('the page of test results', () => {
  const entry = { proof: 'soak', command: 'npm run soak', commit: 'abcdef0', date: '2026-01-02' };

  it('the page of test results shows only the newest run of each command', () => {
    const page = renderResults([
      { ...entry, result: { lost: 7 } },
      { ...entry, command: 'npm run soak -- --minutes 1', result: { lost: 1 } },
      { ...entry, result: { lost: 0 } },
    ]);
    expect(page).toContain('| command | `npm run soak` | `npm run soak -- --minutes 1` |');
    expect(page).toContain('| lost | 0 | 1 |');
    expect(page).not.toContain('7');
  });

  it('the page of test results shows each figure with its name', () => {
    const page = renderResults([
      { ...entry, result: { kills: 1234, hit: { run: 1 }, sets: [{ name: 'a', good: 2 }] } },
    ]);
    expect(page).toContain('| kills | 1,234 |\n| hit | run 1 |\n');
    expect(page).toContain('| name | good |\n|---|---|\n| a | 2 |');
  });

  it('the page of test results has one section for each script and each mode of the script', () => {
    expect(proofOf('npm run prove:crash -- --random 20 --seed 3')).toBe('prove:crash --random');
    expect(proofOf('npm run prove:crash -- --short')).toBe('prove:crash');
    expect(() => proofOf('make soak')).toThrow('not a command');
  });
});
