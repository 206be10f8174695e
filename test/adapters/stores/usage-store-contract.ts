import { describe, expect, it } from 'vitest';
import type { Store } from '../../../src/app/ports/store.ts';
import type { UsageDay } from '../../../src/domain/usage/usage-day.ts';
import { anAgent } from './store-contract.ts';

const NOTHING = { tokens: null, costMicros: null };
const used = (input: number, costMicros: number | null = null) => ({
  tokens: { input, output: 1, cacheRead: 2, cacheWrite: 3 },
  costMicros,
});

/** Tests how a store keeps token usage by day and agent. Every store must pass these tests. */
export function describeUsageStore(name: string, open: () => Store): void {
  describe(`the ${name} store keeps usage by day and agent`, () => {
    const agents = async (store: Store, count: number): Promise<void> => {
      await store.write((tx) => {
        tx.insertProject({ name: 'p', path: '/p', createdAt: '2026-11-15T08:00:00.000Z' as never });
        for (let each = 0; each < count; each++) tx.insertAgent(anAgent());
      });
    };
    const of = (agentId: number, day: string, over: Partial<UsageDay> = {}): UsageDay => ({
      day,
      agentId,
      personaId: null,
      projectId: 1,
      runtime: 'practice',
      ...over,
    });

    it('the store adds usage to the row of the same day, agent and persona, and a null value adds nothing', async () => {
      const store = open();
      await agents(store, 1);
      await store.write((tx) => {
        tx.addUsage(of(1, '2026-11-18'), NOTHING);
        tx.addUsage(of(1, '2026-11-18'), used(10));
        tx.addUsage(of(1, '2026-11-18'), used(5, 7));
        tx.addUsage(of(1, '2026-11-18'), NOTHING);
      });
      expect(store.read((tx) => tx.usageBy('day', {}))).toEqual([
        {
          key: '2026-11-18',
          runtime: 'practice',
          agents: 1,
          reporting: 1,
          tokens: { input: 15, output: 2, cacheRead: 4, cacheWrite: 6 },
          costMicros: 7,
        },
      ]);
      expect(store.read((tx) => [tx.tokensOn('2026-11-18'), tx.tokensOn('2026-11-17')])).toEqual([27, 0]);
    });

    it('the store sums usage by day, persona, project or agent within a period', async () => {
      const store = open();
      await agents(store, 3);
      await store.write((tx) => {
        tx.addUsage(of(1, '2026-11-17', { personaId: 4 }), used(1));
        tx.addUsage(of(1, '2026-11-18', { personaId: 5 }), used(10));
        tx.addUsage(of(2, '2026-11-18', { runtime: 'codex' }), used(100));
        tx.addUsage(of(3, '2026-11-19', { projectId: 2 }), NOTHING);
      });
      const keys = (...[by, filter = {}]: Parameters<typeof usageOf>) =>
        usageOf(by, filter).map(({ key, tokens }) => [key, tokens?.input ?? null]);
      const usageOf = (by: 'day' | 'persona' | 'project' | 'agent', filter: object = {}) =>
        store.read((tx) => tx.usageBy(by, filter));
      expect(keys('day')).toEqual([
        ['2026-11-17', 1],
        ['2026-11-18', 100],
        ['2026-11-18', 10],
        ['2026-11-19', null],
      ]);
      expect(keys('persona')).toEqual([
        [null, 100],
        [null, null],
        [4, 1],
        [5, 10],
      ]);
      expect(keys('project')).toEqual([
        [1, 100],
        [1, 11],
        [2, null],
      ]);
      expect(keys('agent', { since: '2026-11-18', until: '2026-11-18' })).toEqual([
        [1, 10],
        [2, 100],
      ]);
      expect(keys('day', { personaId: 5 })).toEqual([['2026-11-18', 10]]);
      expect(keys('day', { projectId: 2 })).toEqual([['2026-11-19', null]]);
      expect(keys('day', { agentId: 2 })).toEqual([['2026-11-18', 100]]);
      expect(usageOf('agent', { since: '2026-11-19' })).toMatchObject([{ agents: 1, reporting: 0, tokens: null }]);
    });
  });
}
