import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { UsageView } from '../../../../src/contract/history/usage.ts';
import { FakeBaton } from '../support/fake-baton.ts';
import { runInHome } from '../support/run-in-home.ts';

const tokens = { input: 1_000, output: 200, cache_read: 30_000, cache_write: 4, total: 31_204 };
const sum = { tokens, cost_usd: null, agents: 1, cost_from: [], not_reported: [] };
const view = (over: Partial<UsageView> = {}): UsageView => ({
  by: 'persona',
  since: '2026-11-12',
  until: '2026-11-18',
  rows: [{ key: 'developer-con-1', title: 'Con', ...sum }],
  total: sum,
  today: { day: '2026-11-18', tokens: 31_204, budget: null },
  ...over,
});

let baton: FakeBaton;
beforeEach(async () => {
  baton = new FakeBaton();
  await baton.listen();
});
afterEach(() => baton.remove());

async function printed(answer: UsageView, ...argv: string[]): Promise<string> {
  baton.answer('GET /api/usage', answer);
  return (await runInHome(baton.home, ['usage', '--by', 'persona', ...argv])).stdout;
}

describe('the command usage', () => {
  it('`baton usage` prints the tokens of each group and in total, and leaves out columns without values', async () => {
    const text = await printed(view());
    expect(text).toMatch(/^PERSONA +TOKENS +INPUT +OUTPUT +CACHE READ +CACHE WRITE\s*$/m);
    expect(text).toMatch(/^Con +31,204 +1,000 +200 +30,000 +4\s*$/m);
    expect(text).toMatch(/^2026-11-12 to 2026-11-18 +31,204/m);
  });

  it('for unknown tokens, `baton usage` prints "not reported" and the runtime that reported none', async () => {
    const silent = { ...sum, tokens: null, not_reported: [{ runtime: 'parrot', agents: 2 }] };
    const text = await printed(view({ rows: [{ key: 'x', title: 'Mira', ...silent }] }));
    expect(text).toMatch(/^Mira +not reported +2 parrot\s*$/m);
    expect(text).not.toMatch(/^Mira.*\b0\b/m);
  });

  it('`baton usage` prints the cost and names the client that reported the cost', async () => {
    const paid = { ...sum, cost_usd: 1.256, cost_from: ['claude-code'] };
    const text = await printed(
      view({
        total: paid,
        rows: [
          { key: 'x', title: 'Con', ...paid },
          { key: 'y', title: 'Eve', ...sum },
        ],
      }),
    );
    expect(text).toMatch(/^Con .*\$1\.26\s*$/m);
    expect(text).toMatch(/^Eve .*not named\s*$/m);
    expect(text).toContain('The cost is in US dollars, as reported by: claude-code.');
  });

  it('`baton usage` prints how much of the budget of the day is used', async () => {
    const text = await printed(view({ today: { day: '2026-11-18', tokens: 31_204, budget: 100_000 } }));
    expect(text).toContain('Today: 31,204 of 100,000 tokens of the daily budget (31 %).');
  });

  it('if no agent took a turn in the period, `baton usage` says so', async () => {
    expect(await printed(view({ rows: [] }))).toContain('No agent took a turn from 2026-11-12 to 2026-11-18.');
  });
});
