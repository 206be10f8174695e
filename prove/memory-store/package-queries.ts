import { StoreConflict, type Tx } from '../../src/app/ports/store.ts';
import { type Mark, marksOf } from '../../src/domain/packages/package-marks.ts';
import { isTerminal } from '../../src/domain/packages/record.ts';
import { dueAt, type StoredPackage, wordsOf } from '../../src/domain/packages/stored-package.ts';
import type { Journal } from './journal.ts';

type PackageVerbs = Pick<
  Tx,
  | 'nextPackageNumber'
  | 'savePackage'
  | 'packageById'
  | 'packageByKey'
  | 'packages'
  | 'packagesInBrief'
  | 'staleStateFiles'
  | 'markStateStale'
  | 'stateWritten'
  | 'packagesDue'
  | 'packageKeys'
  | 'packagesMarked'
  | 'packagesBehind'
  | 'packageWritten'
>;

export function packageQueries(journal: Journal): PackageVerbs {
  const numbers = journal.table<number>();
  const rows = journal.table<{ readonly stored: StoredPackage; readonly writtenSeq: number | null; number: number }>();
  const stale = journal.table<{ readonly projectId: number; readonly seq: number }>();
  const row = (id: string) => rows.all().find(({ stored }) => stored.record.id === id);
  const all = () => rows.all().map(({ stored }) => stored);
  const olderThan = (before: string | undefined) =>
    before === undefined
      ? all()
      : all().slice(
          0,
          Math.max(
            0,
            all().findIndex(({ record }) => record.id === before),
          ),
        );
  const packageByKey = (key: string) => all().find(({ createKey }) => createKey?.key === key);
  return {
    nextPackageNumber: (year) => {
      const next = (numbers.get(year) ?? 0) + 1;
      numbers.set(year, next);
      return next;
    },
    savePackage: (stored) => {
      const taken = stored.createKey === null ? undefined : packageByKey(stored.createKey.key);
      if (taken !== undefined && taken.record.id !== stored.record.id)
        throw new StoreConflict('a package was created under this key');
      const known = row(stored.record.id);
      const number = known?.number ?? rows.nextId();
      rows.set(number, { stored, writtenSeq: known?.writtenSeq ?? null, number });
    },
    packageById: (id) => row(id)?.stored,
    packageByKey,
    packages: ({ projectId, root, party, inFlight = false, state, type, text, before, limit }) => {
      const found = olderThan(before).filter(
        (each) =>
          (projectId === undefined || each.projectId === projectId) &&
          (root === undefined || each.lineage.root === root) &&
          (party === undefined || party.includes(each.record.from) || party.includes(each.record.to)) &&
          !(inFlight && isTerminal(each.record)) &&
          (state === undefined || each.record.state === state) &&
          (type === undefined || each.record.type === type) &&
          (text === undefined || wordsOf(each).includes(text.toLowerCase())),
      );
      return limit === undefined ? found : found.slice(-limit);
    },
    packagesDue: (now, limit) =>
      all()
        .filter((each) => (dueAt(each) ?? '~') <= now)
        .sort((one, other) => ((dueAt(one) ?? '') < (dueAt(other) ?? '') ? -1 : 1))
        .slice(0, limit),
    packageKeys: (mark) => [...new Set(all().flatMap((each) => keyOf(each, mark) ?? []))].sort().map(parse),
    packagesMarked: (mark, key, limit, which = 'oldest') => {
      const found = all().filter((each) => keyOf(each, mark) === JSON.stringify(key));
      return which === 'oldest' ? found.slice(0, limit) : found.slice(-limit);
    },
    staleStateFiles: () => stale.all(),
    markStateStale: (projectId, seq) =>
      stale.set(projectId, { projectId, seq: Math.max(seq, stale.get(projectId)?.seq ?? 0) }),
    stateWritten: (projectId, seq) => {
      if ((stale.get(projectId)?.seq ?? seq + 1) <= seq) stale.delete(projectId);
    },
    packagesInBrief: (projectId, limit, after) =>
      rows
        .all()
        .filter(({ number }) => after === undefined || number > (row(after)?.number ?? 0))
        .map(({ stored }) => stored)
        .filter((each) => each.projectId === projectId)
        .slice(0, limit)
        .map(({ record: { id, from, to, state }, createdAt }) => ({ id, createdAt, from, to, state })),
    packagesBehind: (limit, after) =>
      rows
        .all()
        .filter(({ stored, writtenSeq, number }) => {
          const isLater = after === undefined || number > (row(after)?.number ?? 0);
          return isLater && writtenSeq !== stored.seq;
        })
        .map(({ stored }) => stored)
        .slice(0, limit),
    packageWritten: (id, seq) => {
      const known = row(id);
      if (known !== undefined) rows.set(known.number, { ...known, writtenSeq: seq });
    },
  };
}

const keyOf = (stored: StoredPackage, mark: Mark): string | null => {
  const key = marksOf(stored)[mark];
  return key === null ? null : JSON.stringify(key);
};

const parse = (text: string) => JSON.parse(text);
