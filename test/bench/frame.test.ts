import { describe, expect, it } from 'vitest';
import { renderResults } from '../../bench/frame/results-page.ts';
import { compare, interleave } from '../../bench/frame/rounds.ts';
import { quantile } from '../../bench/frame/statistics.ts';

describe('the rounds of a bench', () => {
  it('a bench reports the median of the ratios, not the ratio of the medians', () => {
    expect(compare([1, 10, 100], [4, 20, 300])).toEqual({ floor: 10, product: 20, ratio: 3, ratios: [4, 2, 3] });
  });

  it('a bench alternates the order in which it measures Baton and the baseline', async () => {
    const order: string[] = [];
    const side = (name: string) => async (round: number) => {
      order.push(`${name}${round}`);
      return 1;
    };
    await interleave(3, side('floor'), side('product'));
    expect(order).toEqual(['floor0', 'product0', 'product1', 'floor1', 'floor2', 'product2']);
  });
});

describe('quantiles', () => {
  it('a quantile is the value at the given share of the sorted values', () => {
    expect(quantile([5, 1, 4, 2, 3], 0.5)).toBe(3);
    expect(quantile([5, 1, 4, 2, 3], 0.99)).toBe(5);
    expect(quantile([], 0.5)).toBeNaN();
  });
});

describe('the page of bench results', () => {
  const kept = { title: 'a prompt', goal: 'ratio at most 8', commit: 'abcdef0', date: '2026-01-02', load: 1.5 };

  it('the page of bench results has one row for each benchmark, sorted by number', () => {
    const page = renderResults({
      P10: { ...kept, result: { ratio: 1.1, parts: { start: 1 } } },
      P2: { ...kept, result: { ratio: 2 } },
    });
    const rows = page.split('\n').filter((line) => line.startsWith('| P'));
    expect(rows).toEqual([
      '| P2 | a prompt | ratio at most 8 | ratio 2 | abcdef0 | 2026-01-02 | 1.5 |',
      '| P10 | a prompt | ratio at most 8 | ratio 1.1 | abcdef0 | 2026-01-02 | 1.5 |',
    ]);
  });
});
