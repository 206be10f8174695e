import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { isGoodEnough } from '../../bench/lint/main.ts';
import { measure } from '../../bench/lint/measure.ts';

/**
 * Checks that the lint finds most defects and blocks no good package. To see which packages the lint judged wrongly,
 * run `npm run bench:lint`.
 */
describe.each(['harbor', 'orchard'])('the lint on the %s set of packages', (name) => {
  it('[package P12] the lint finds most defects and blocks no good package', async () => {
    const { result, wrong } = await measure(
      fileURLToPath(new URL(`../../bench/lint/sets/${name}`, import.meta.url)),
      name,
    );
    expect(result).toMatchObject({ good: 60, bad: 60, structural: 36, vague: 24 });
    expect(isGoodEnough(result), wrong.join('\n')).toBe(true);
  });
});
