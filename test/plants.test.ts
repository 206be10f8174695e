import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PLANTS, planted } from '../prove/plants/plants.mjs';

const ROOT = new URL('../', import.meta.url);
const source = (file: string): string => readFileSync(new URL(file, ROOT), 'utf8');

/** `npm run prove:plants` runs all planted bugs; this test only detects an outdated list early. */
describe('planted bugs', () => {
  it('have unique names', () => {
    expect(new Set(PLANTS.map(({ name }) => name)).size).toBe(PLANTS.length);
  });

  it.each(PLANTS)('$name matches the source at exactly one place', (plant) => {
    const files = new Set(plant.edits.map(({ file }) => file));
    expect(files.size).toBeGreaterThan(0);
    for (const file of files) expect(planted(plant, file, source(file))).not.toBe(source(file));
  });

  it('are an error if they match nowhere or twice', () => {
    const plant = { name: 'x', what: '', by: '', edits: [{ file: 'a.ts', find: 'one', replace: 'two' }] };
    expect(() => planted(plant, 'a.ts', 'nothing')).toThrow(/fits 0 times into a\.ts/);
    expect(() => planted(plant, 'a.ts', 'one one')).toThrow(/fits 2 times/);
    expect(planted(plant, 'b.ts', 'one')).toBeUndefined();
  });
});
