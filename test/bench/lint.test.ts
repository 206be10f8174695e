import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { isGoodEnough } from '../../bench/lint/main.ts';
import { measure } from '../../bench/lint/measure.ts';

/** `npm run bench:lint` lists the wrongly judged packages; this test checks only the minimum. */
describe.each(['harbor', 'orchard'])('the lint on the set %s', (name) => {
  it('[package P12] finds most defects, blocks no good package and warns about few', async () => {
    const { result, wrong } = await measure(
      fileURLToPath(new URL(`../../bench/lint/sets/${name}`, import.meta.url)),
      name,
    );
    expect(result).toMatchObject({ good: 60, bad: 60, structural: 36, vague: 24 });
    expect(isGoodEnough(result), wrong.join('\n')).toBe(true);
  });
});
