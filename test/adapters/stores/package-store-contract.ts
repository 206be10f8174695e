import { describe, expect, it } from 'vitest';
import { type Store, StoreConflict } from '../../../src/app/ports/store.ts';
import type { Instant } from '../../../src/domain/instant.ts';
import type { Mark } from '../../../src/domain/packages/package-marks.ts';
import type { StoredPackage } from '../../../src/domain/packages/stored-package.ts';
import { fresh, NOON } from '../../domain/packages/package-kit.ts';
import { anAgent, aRun } from './store-contract.ts';

export const aPackage = (id: string, over: Partial<StoredPackage> = {}): StoredPackage => ({
  record: { ...fresh(), id },
  uid: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
  projectId: 1,
  session: 'S-1',
  senderAgentId: null,
  receiverAgentId: null,
  content: { from: { agent: 'a' }, to: { agent: 'b', reason: 'r' }, context: { summary: 's' } },
  revisions: [],
  lineage: { parent: null, root: id, hop: 0, supersedes: null, returnsFor: null },
  waivers: [],
  findings: [],
  answers: [],
  results: [],
  readAt: null,
  acceptedAt: null,
  acceptedSeq: null,
  overSeq: null,
  announced: null,
  createKey: null,
  createdAt: NOON,
  updatedAt: NOON,
  seq: 1,
  ...over,
});

/** Tests how a store keeps packages. Every store must pass these tests. */
export function describePackageStore(name: string, open: () => Store): void {
  describe(`the store of packages: ${name}`, () => {
    const withProject = async (): Promise<Store> => {
      const store = open();
      await store.write((tx) => tx.insertProject({ name: 'p', path: '/p', createdAt: NOON }));
      return store;
    };
    const ids = (found: readonly StoredPackage[]): string[] => found.map(({ record }) => record.id);

    it('the store numbers the packages of a year consecutively', async () => {
      const store = open();
      const next = (year: number) => store.write((tx) => tx.nextPackageNumber(year));
      expect([await next(2026), await next(2026), await next(2027)]).toEqual([1, 2, 1]);
      await store
        .write((tx) => {
          tx.nextPackageNumber(2026);
          throw new Error('no');
        })
        .catch(() => undefined);
      expect(await next(2026)).toBe(3);
    });

    it('the store returns each package exactly as it was last saved', async () => {
      const store = await withProject();
      const one = aPackage('HO-2026-001');
      await store.write((tx) => [tx.savePackage(one), tx.savePackage(aPackage('HO-2026-002'))]);
      const changed = { ...one, seq: 7, readAt: NOON };
      await store.write((tx) => tx.savePackage(changed));
      expect(store.read((tx) => tx.packageById('HO-2026-001'))).toEqual(changed);
      expect(store.read((tx) => ids(tx.packages({})))).toEqual(['HO-2026-001', 'HO-2026-002']);
      expect(store.read((tx) => tx.packageById('HO-2026-009'))).toBeUndefined();
    });

    it('the store finds packages by project, by chain, and by sender or receiver', async () => {
      const store = await withProject();
      const over = { ...fresh(), id: 'HO-2026-002', state: 'completed' as const, from: 'x', to: 'y' };
      const child = aPackage('HO-2026-003');
      await store.write((tx) => [
        tx.savePackage(aPackage('HO-2026-001')),
        tx.savePackage(aPackage('HO-2026-002', { record: over })),
        tx.savePackage({ ...child, lineage: { ...child.lineage, root: 'HO-2026-001' } }),
      ]);
      const find = (filter: Parameters<Parameters<Parameters<Store['read']>[0]>[0]['packages']>[0]) =>
        store.read((tx) => ids(tx.packages(filter)));
      expect(find({ root: 'HO-2026-001' })).toEqual(['HO-2026-001', 'HO-2026-003']);
      expect(find({ party: ['y'] })).toEqual(['HO-2026-002']);
      expect(find({ party: [] })).toEqual([]);
      expect(find({ inFlight: true })).toEqual(['HO-2026-001', 'HO-2026-003']);
      expect(find({ limit: 2 })).toEqual(['HO-2026-002', 'HO-2026-003']);
      expect(find({ before: 'HO-2026-003', limit: 1 })).toEqual(['HO-2026-002']);
      expect(find({ before: 'HO-2026-001' })).toEqual([]);
      expect(find({ before: 'HO-2026-009' })).toEqual([]);
      expect(find({ projectId: 2 })).toEqual([]);
    });

    it('the store finds packages by state, by type and by words, whether the words are in upper or lower case', async () => {
      const store = await withProject();
      const content = (summary: string) => ({ ...aPackage('x').content, context: { summary } });
      const record = (id: string, more = {}) => ({ ...fresh(), id, from: 'a', to: 'b', ...more });
      await store.write((tx) => [
        tx.savePackage(aPackage('HO-2026-001', { record: record('HO-2026-001'), content: content('ÜBER 100 % done') })),
        tx.savePackage(aPackage('HO-2026-002', { record: record('HO-2026-002', { type: 'gate', state: 'pending' }) })),
        tx.savePackage(aPackage('HO-2026-003', { record: record('HO-2026-003', { type: 'gate', state: 'rejected' }) })),
      ]);
      const find = (filter: Parameters<Parameters<Parameters<Store['read']>[0]>[0]['packages']>[0]) =>
        store.read((tx) => ids(tx.packages(filter)));
      expect(find({ type: 'gate' })).toEqual(['HO-2026-002', 'HO-2026-003']);
      expect(find({ type: 'gate', limit: 1 })).toEqual(['HO-2026-003']);
      expect(find({ type: 'gate', inFlight: true })).toEqual(['HO-2026-002']);
      expect(find({ state: 'rejected', party: ['a'] })).toEqual(['HO-2026-003']);
      expect(find({ text: 'über 100 %' })).toEqual(['HO-2026-001']);
      expect(find({ text: 'ho-2026-00', before: 'HO-2026-003', limit: 1 })).toEqual(['HO-2026-002']);
      expect(find({ text: '100_%' })).toEqual([]);
      await store.write((tx) => tx.savePackage(aPackage('HO-2026-001', { content: content('Another') })));
      expect([find({ text: 'über' }), find({ text: 'another' })]).toEqual([[], ['HO-2026-001']]);
    });

    it('the store returns due packages in the order of their deadlines', async () => {
      const store = await withProject();
      const at = (deadlineAt: string, more = {}) => ({ ...fresh(), deadlineAt: deadlineAt as Instant, ...more });
      await store.write((tx) => [
        tx.savePackage(aPackage('HO-2026-001', { record: at('2026-01-15T13:00:00.000Z', { id: 'HO-2026-001' }) })),
        tx.savePackage(
          aPackage('HO-2026-002', {
            record: at('2026-01-15T13:00:00.000Z', { id: 'HO-2026-002', state: 'completed' }),
          }),
        ),
        tx.savePackage(
          aPackage('HO-2026-003', {
            record: at('2026-01-16T13:00:00.000Z', { id: 'HO-2026-003', expiresAt: '2026-01-15T12:30:00.000Z' }),
          }),
        ),
        ...[null, 'over-failed'].map((announced, index) => {
          const record = { ...fresh(), id: `HO-2026-00${4 + index}`, state: 'failed' as const };
          return tx.savePackage(aPackage(record.id, { record, announced }));
        }),
      ]);
      const due = (now: string, limit = 10) => store.read((tx) => ids(tx.packagesDue(now as Instant, limit)));
      expect([due('2026-01-15T12:00:00.000Z'), due('2026-01-15T12:30:00.000Z')]).toEqual([[], ['HO-2026-003']]);
      expect(due('2026-01-15T13:00:00.000Z')).toEqual(['HO-2026-003', 'HO-2026-001']);
      expect(due('2026-01-15T13:00:00.000Z', 1)).toEqual(['HO-2026-003']);
      expect(due('2026-01-16T12:00:00.000Z')).toEqual(['HO-2026-003', 'HO-2026-001', 'HO-2026-004']);
    });

    it('[package P19] after two reminders, the store returns a package as due only if the package can expire or waits for a person', async () => {
      const store = await withProject();
      const late = { reminders: 2, deadlineAt: NOON };
      const record = (id: string, more: object) => aPackage(id, { record: { ...fresh(), id, ...late, ...more } });
      await store.write((tx) => [
        tx.savePackage(record('HO-2026-001', { state: 'pending' })),
        tx.savePackage(record('HO-2026-002', { state: 'pending', expiresAt: NOON })),
        tx.savePackage(record('HO-2026-003', { state: 'pending', waiter: 'human' })),
        tx.savePackage(record('HO-2026-004', { state: 'pending', reminders: 1 })),
        tx.savePackage({ ...record('HO-2026-005', { state: 'pending', reminders: 0 }), runId: 1 }),
      ]);
      expect(store.read((tx) => ids(tx.packagesDue(NOON, 10)))).toEqual(['HO-2026-002', 'HO-2026-003', 'HO-2026-004']);
    });

    it('the store lists the agents that Baton must notify of packages, and the agents whose end Baton must record with a package', async () => {
      const store = await withProject();
      const pending = (id: string, more: object = {}) =>
        aPackage(id, { record: { ...fresh(), id, state: 'pending', waiter: 'receiver' }, senderAgentId: 7, ...more });
      const { from, to } = fresh();
      await store.write((tx) => [
        tx.savePackage(pending('HO-2026-001')),
        tx.savePackage(pending('HO-2026-002', { announced: 'pending-0-0' })),
        tx.savePackage(pending('HO-2026-003')),
        tx.savePackage(pending('HO-2026-004', { senderAgentId: 8 })),
      ]);
      const addressee = { projectId: 1, name: to, besides: 7 };
      const keys = <M extends Mark>(mark: M) => store.read((tx) => tx.packageKeys(mark));
      expect(keys('tell')).toEqual([addressee, { ...addressee, besides: 8 }]);
      expect(keys('sender')).toEqual([
        { agentId: 7, name: from },
        { agentId: 8, name: from },
      ]);
      expect(keys('receiver')).toEqual([]);
      const marked = (...asked: [limit: number, which?: 'newest']) =>
        store.read((tx) => ids(tx.packagesMarked('tell', addressee, ...asked)));
      expect([marked(10), marked(1), marked(1, 'newest')]).toEqual([
        ['HO-2026-001', 'HO-2026-003'],
        ['HO-2026-001'],
        ['HO-2026-003'],
      ]);
      const accepted = { ...fresh(), id: 'HO-2026-001', state: 'accepted' as const };
      await store.write((tx) => tx.savePackage(pending('HO-2026-001', { record: accepted, receiverAgentId: 9 })));
      expect([marked(10), keys('receiver'), keys('work')]).toEqual([
        ['HO-2026-003'],
        [{ agentId: 9, name: to }],
        [{ projectId: 1, name: to }],
      ]);
    });

    it("the store lists a project's packages in pages, oldest first", async () => {
      const store = await withProject();
      await store.write((tx) => {
        for (const id of ['HO-2026-001', 'HO-2026-002', 'HO-2026-003']) tx.savePackage(aPackage(id));
      });
      const brief = (limit: number, after?: string) =>
        store.read((tx) => tx.packagesInBrief(1, limit, after)).map(({ id }) => id);
      expect(brief(2)).toEqual(['HO-2026-001', 'HO-2026-002']);
      expect(brief(2, 'HO-2026-002')).toEqual(['HO-2026-003']);
      expect(brief(2, 'HO-2026-003')).toEqual([]);
    });

    it("the store lists a package for writing to disk until the package's file contains the package's last event", async () => {
      const store = await withProject();
      const one = aPackage('HO-2026-001', { seq: 3 });
      const behind = (after?: string) => store.read((tx) => ids(tx.packagesBehind(10, after)));
      const first = () => store.read((tx) => ids(tx.packagesBehind(1)));
      await store.write((tx) => tx.savePackage(one));
      expect([behind(), first()]).toEqual([['HO-2026-001'], ['HO-2026-001']]);
      await store.write((tx) => tx.packageWritten('HO-2026-001', 3));
      expect([behind(), first()]).toEqual([[], []]);
      await store.write((tx) => tx.savePackage({ ...one, seq: 4 }));
      expect([behind(), first()]).toEqual([['HO-2026-001'], ['HO-2026-001']]);
      await store.write((tx) => tx.packageWritten('HO-2026-001', 4));
      await store.write((tx) => tx.packageWritten('HO-2026-001', null));
      await store.write((tx) => tx.savePackage(aPackage('HO-2026-002')));
      expect([behind(), behind('HO-2026-001')]).toEqual([['HO-2026-001', 'HO-2026-002'], ['HO-2026-002']]);
    });

    it('the store refuses a second package with the same idempotency key', async () => {
      const store = await withProject();
      const createKey = { key: 'agent-1/k', bodyHash: 'h' };
      await store.write((tx) => tx.savePackage(aPackage('HO-2026-001', { createKey })));
      await store.write((tx) => tx.savePackage(aPackage('HO-2026-001', { createKey, seq: 2 })));
      const second = store.write((tx) => tx.savePackage(aPackage('HO-2026-002', { createKey })));
      await expect(second).rejects.toBeInstanceOf(StoreConflict);
      expect(store.read((tx) => tx.packageByKey('agent-1/k')?.seq)).toBe(2);
    });

    it('the store lists the runs whose packages have to be updated, until each update is recorded', async () => {
      const store = await withProject();
      const marked = () => store.read((tx) => tx.runsToSync().map(({ id }) => id));
      const [one, two] = await store.write((tx) =>
        [tx.insertAgent(anAgent()), tx.insertAgent(anAgent())].map((agent) => tx.insertRun(aRun(agent.id))),
      );
      if (one === undefined || two === undefined) throw new Error('no runs');
      expect(marked()).toEqual([]);
      await store.write((tx) => {
        for (const { id } of [two, one, one]) tx.markRunDirty(id);
      });
      expect(marked()).toEqual([one.id, two.id]);
      const failing = store.write((tx) => {
        tx.clearRunDirty(one.id);
        throw new Error('no');
      });
      await failing.catch(() => undefined);
      expect(marked()).toEqual([one.id, two.id]);
      await store.write((tx) => tx.clearRunDirty(one.id));
      expect(marked()).toEqual([two.id]);
    });

    it('the store returns the inbox items of one package', async () => {
      const store = open();
      const item = { kind: 'decision', agentId: null, runId: null, sentence: 's', hint: 'h', openedAt: NOON } as const;
      const rest = { current: true, resolvedAt: null, resolution: null, notifiedAt: null, notified: {} };
      await store.write((tx) => {
        for (const id of ['HO-2026-001', 'HO-2026-0010'])
          tx.insertInboxItem({ ...item, ...rest, cause: { of: 'package', packageId: id, what: 'decide' } });
      });
      const found = store.read((tx) => tx.currentInboxItems({ packageId: 'HO-2026-001' }));
      expect(found.map(({ key }) => key)).toEqual(['package/HO-2026-001/decide']);
    });
  });
}
