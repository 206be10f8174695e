import { describe, expect, it } from 'vitest';
import { corpus } from '../../bench/lint/corpus.ts';
import { measure } from '../../bench/lint/measure.ts';

/** `npm run bench:lint` says what was missed; here is what must hold. */
describe('the lint on its labelled corpus', () => {
  const packages = corpus();

  it('the corpus is large, half clean, of every type, and the same every time', () => {
    expect(packages.length).toBeGreaterThanOrEqual(200);
    expect(packages.filter(({ defects }) => defects.length === 0).length).toBe(packages.length / 2);
    expect(new Set(packages.map(({ yaml }) => yaml)).size).toBe(packages.length);
    expect(corpus()).toEqual(packages);
  });

  it('[package P12] finds at least nine of ten defects by their rule and place, and blocks no clean package', () => {
    const { result, missed, alarms } = measure(packages);
    expect(result.clean_blocked, alarms.join('\n')).toBe(0);
    expect(result.catch_rate, missed.join('\n')).toBeGreaterThanOrEqual(0.9);
    expect(result.false_alarms, alarms.join('\n')).toBeLessThanOrEqual(2);
  });
});
