import { afterEach, describe, expect, it, vi } from 'vitest';
import { type AgedBaton, ageBaton, LISTS } from '../../bench/history/aged-baton.ts';
import type { History } from '../../bench/history/grow-history.ts';
import { type SqlCount, sqlOf, watchSql } from '../support/count-sql.ts';

/**
 * A small and a large history. The small one has 11 ended agents, 10 handoff runs and 10 packages. The large one has
 * 10,001 ended agents, 10,000 handoff runs and 10,000 packages.
 */
const FEW: History = { agents: 12, lost: 1, runs: 10, events: 100, packages: 10 };
const MANY: History = { agents: 10_100, lost: 99, runs: 10_000, events: 1_000, packages: 10_000 };

/** Routes whose answers must not grow with the history, for example routes about one agent, run or machine. */
const SINGLE = [
  '/api/health',
  '/api/personas',
  '/api/personas/reviewer-few-2',
  '/api/projects',
  '/api/projects/1/workflow',
  '/api/agents/5',
  '/api/agents/5/why',
  '/api/runs/3',
  '/api/runs/3/texts',
  '/api/handoffs/3',
  '/api/packages/HO-2024-00003',
  '/api/packages/HO-2024-00003/chain',
  '/api/packages/HO-2024-00003/report',
  '/api/packages/agents',
  '/api/inbox/history?limit=5',
  '/api/worktrees',
  '/api/candidates',
  '/api/settings',
  '/api/runtimes',
  '/api/environment',
  '/api/fleet',
  '/api/fleet/agents',
  '/api/fleet/inbox',
  '/api/machines',
] as const;

/** Limits a list to five entries per page, so that even the small history fills a page. */
function inShortPages(list: string): string {
  // The list of open points and lessons has no pages. The test therefore uses a persona that has as many points and
  // lessons in the small history as in the large history.
  const address = new URL(list.replace('developer-old-1/knowledge', 'reviewer-few-2/knowledge'), 'http://baton');
  address.searchParams.set('limit', '5');
  return `${address.pathname}?${decodeURIComponent(String(address.searchParams))}`;
}

/**
 * The maximum number of database rows that each of these two routes may read, including the tolerance SLACK. Both
 * routes have no pages. The first route reads up to 100 agents. The second route reads up to 200 points and 2 × 200
 * lessons.
 */
const BOUNDED = { '/api/personas/developer-old-1': 120, '/api/personas/developer-old-1/knowledge': 620 } as const;

/**
 * The tolerance, in SQL statements and also in rows: an operation may need up to this many more with the large history
 * than with the small history. The numbers vary a little, because background work does not always end at the same
 * moment.
 */
const SLACK = 20;

const OPERATIONS: readonly (readonly [string, (baton: AgedBaton) => Promise<void>])[] = [
  ['reconcile', (baton) => baton.reconcile()],
  ['event', (baton) => baton.event()],
  ['handoff', (baton) => baton.handoff()],
  ['start', (baton) => baton.start()],
  ...[...LISTS.map(inShortPages), ...SINGLE, ...Object.keys(BOUNDED)].map(
    (list) => [list, (baton: AgedBaton) => baton.list(list)] as const,
  ),
];

async function costsAfter(history: History): Promise<ReadonlyMap<string, SqlCount>> {
  const baton = await ageBaton(history);
  const costs = new Map<string, SqlCount>();
  for (const [name, work] of OPERATIONS) costs.set(name, await sqlOf(() => work(baton)));
  await baton.end();
  return costs;
}

/**
 * These tests count SQL statements and rows, because these numbers do not depend on the speed of the machine.
 * `npm run bench:history` measures time.
 */
describe('Baton after years of history', () => {
  afterEach(() => vi.restoreAllMocks());

  it('[P10] after 10,000 handoffs, each operation of Baton reads about as many database rows as after 10', async () => {
    watchSql();
    const few = await costsAfter(FEW);
    const many = await costsAfter(MANY);
    const grown = OPERATIONS.flatMap(([name]) => {
      const [before, after] = [few.get(name), many.get(name)];
      if (before === undefined || after === undefined) return [`${name} was not measured`];
      const most = Object.entries(BOUNDED).find(([bounded]) => bounded === name)?.[1];
      if (most !== undefined && after.statements <= before.statements + SLACK && after.rows <= most) return [];
      if (after.statements <= before.statements + SLACK && after.rows <= before.rows + SLACK) return [];
      return [
        `${name}: ${before.statements} statements and ${before.rows} rows before, now ${after.statements} and ${after.rows}`,
      ];
    });
    expect(grown).toEqual([]);
    // Check the counter itself: it must have counted the agents of a full page.
    expect(many.get('/api/agents?limit=5')?.rows).toBeGreaterThan(5);
    expect(many.get('/api/search?q=invoice&limit=5')?.rows).toBeGreaterThanOrEqual(5);
    expect(many.get('/api/personas/reviewer-few-2/knowledge?limit=5')?.rows).toBeGreaterThanOrEqual(10);
  });
});
