import { afterEach, describe, expect, it, vi } from 'vitest';
import { type AgedBaton, ageBaton, LISTS } from '../../bench/history/aged-baton.ts';
import type { History } from '../../bench/history/grow-history.ts';
import { type SqlCount, sqlOf, watchSql } from '../support/count-sql.ts';

/** Even the small history has more than one page of every list. */
const FEW: History = { agents: 300, lost: 20, runs: 250, events: 800, packages: 250 };
const MANY: History = { agents: 3_000, lost: 400, runs: 2_500, events: 8_000, packages: 2_500 };

/** Allowed difference, because background work may finish a moment sooner or later. */
const SLACK = 20;

const OPERATIONS: readonly (readonly [string, (baton: AgedBaton) => Promise<void>])[] = [
  ['reconcile', (baton) => baton.reconcile()],
  ['event', (baton) => baton.event()],
  ['handoff', (baton) => baton.handoff()],
  ['start', (baton) => baton.start()],
  ...LISTS.map((list) => [list, (baton: AgedBaton) => baton.list(list)] as const),
];

async function costsAfter(history: History): Promise<ReadonlyMap<string, SqlCount>> {
  const baton = await ageBaton(history);
  const costs = new Map<string, SqlCount>();
  for (const [name, work] of OPERATIONS) costs.set(name, await sqlOf(() => work(baton)));
  await baton.end();
  return costs;
}

/** `npm run bench:history` measures time; this test counts SQL statements and rows on any machine. */
describe('Baton after years of history', () => {
  afterEach(() => vi.restoreAllMocks());

  it('[P10] reads no more rows and runs no more statements with ten times the history', async () => {
    watchSql();
    const few = await costsAfter(FEW);
    const many = await costsAfter(MANY);
    const grown = OPERATIONS.flatMap(([name]) => {
      const [before, after] = [few.get(name), many.get(name)];
      if (before === undefined || after === undefined) return [`${name} was not measured`];
      if (after.statements <= before.statements + SLACK && after.rows <= before.rows + SLACK) return [];
      return [
        `${name}: ${before.statements} statements and ${before.rows} rows before, now ${after.statements} and ${after.rows}`,
      ];
    });
    expect(grown).toEqual([]);
    // Check that the counter works: a full page of agents was read.
    expect(many.get('/api/agents')?.rows).toBeGreaterThan(100);
  });
});
