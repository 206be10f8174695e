import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PLANTS, planted } from '../prove/plants/plants.mjs';

const ROOT = new URL('../', import.meta.url);
const source = (file: string): string => readFileSync(new URL(file, ROOT), 'utf8');

/**
 * These tests only show early that an entry in the list of planted bugs is outdated. `npm run prove:plants` tries every
 * planted bug.
 */
describe('planted bugs', () => {
  it('planted bugs have unique names', () => {
    expect(new Set(PLANTS.map(({ name }) => name)).size).toBe(PLANTS.length);
  });

  it.each(PLANTS)('the planted bug $name replaces a text that its source file contains exactly once', (plant) => {
    const files = new Set(plant.edits.map(({ file }) => file));
    expect(files.size).toBeGreaterThan(0);
    for (const file of files) expect(planted(plant, file, source(file))).not.toBe(source(file));
  });

  it('planting a bug fails unless the text to replace occurs exactly once in the source file', () => {
    const plant = { name: 'x', what: '', by: '', edits: [{ file: 'a.ts', find: 'one', replace: 'two' }] };
    expect(() => planted(plant, 'a.ts', 'nothing')).toThrow(/fits 0 times into a\.ts/);
    expect(() => planted(plant, 'a.ts', 'one one')).toThrow(/fits 2 times/);
    expect(planted(plant, 'b.ts', 'one')).toBeUndefined();
  });
});
