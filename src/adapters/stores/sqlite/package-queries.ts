import { type Insertable, type RawBuilder, sql as raw } from 'kysely';
import { StoreConflict, type Tx } from '../../../app/ports/store.ts';
import { MARKS, type Mark } from '../../../domain/packages/package-marks.ts';
import { type Connection, fixed, prepared, preparedRow, type Query, sql } from './connection.ts';
import { fromPackage, toPackage, toPackageInBrief } from './rows.ts';
import type { Schema } from './schema.ts';

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

export function packageQueries(db: Connection): PackageVerbs {
  const all = sql.selectFrom('packages').select('detail');
  const withId = prepared((id: string) => all.where('id', '=', id));
  const withKey = prepared((key: string) => all.where('create_key', '=', key));
  const save = preparedRow(({ id, written_seq, ...row }: Insertable<Schema['packages']>) =>
    sql
      .insertInto('packages')
      .values({ id, written_seq, ...row })
      .onConflict((same) => same.column('id').doUpdateSet(row)),
  );
  const behindOthers = all.where((row) => row('written_seq', 'is not', row.ref('seq'))).orderBy('number');
  const behind = prepared((limit: number) => behindOthers.limit(limit));
  // After every commit, the engine asks for packages whose files are out of date. The answer is cached, because few
  // commits write a package.
  const firstBehind = db.memory.of('packages', (limit: number) => db.all(behind(limit)).map(toPackage));
  const first = (row: { detail: string } | undefined) => (row === undefined ? undefined : toPackage(row));
  return {
    nextPackageNumber: (year) => {
      const known = db.first(sql.selectFrom('package_numbers').select('last').where('year', '=', year))?.last ?? 0;
      const last = known + 1;
      db.run(
        sql
          .insertInto('package_numbers')
          .values({ year, last })
          .onConflict((same) => same.column('year').doUpdateSet({ last })),
      );
      return last;
    },
    savePackage: (stored) => {
      const row = fromPackage(stored);
      const taken = row.create_key === null ? undefined : db.first(withKey(row.create_key));
      if (taken !== undefined && toPackage(taken).record.id !== stored.record.id)
        throw new StoreConflict('a package was created under this key');
      db.run(save({ id: stored.record.id, written_seq: null, ...row }));
    },
    packageById: (id) => first(db.first(withId(id))),
    packageByKey: (key) => first(db.first(withKey(key))),
    packages: ({ projectId, root, party, inFlight = false, state, type, text, before, limit }) => {
      // First find only the numbers of the packages. Each row has several kilobytes, so read only the rows that match.
      let query = sql.selectFrom('packages').select('number').orderBy('number', 'desc');
      if (projectId !== undefined) query = query.where('project_id', '=', projectId);
      if (root !== undefined) query = query.where('root', '=', root);
      if (party !== undefined)
        query = query.where((row) => row.or([row('from_agent', 'in', party), row('to_agent', 'in', party)]));
      if (inFlight) query = query.where('in_flight', '=', 1);
      if (before !== undefined)
        query = query.where('number', '<', sql.selectFrom('packages').select('number').where('id', '=', before));
      if (state !== undefined) query = query.where('state', '=', state);
      if (type !== undefined) query = query.where('type', '=', type);
      if (text !== undefined)
        query = query.where((row) => row(row.fn<number>('instr', ['words', row.val(text.toLowerCase())]), '>', 0));
      if (limit !== undefined) query = query.limit(limit);
      return db.all(all.where('number', 'in', query).orderBy('number')).map(toPackage);
    },
    packagesDue: (now, limit) =>
      db.all(all.where('due_at', '<=', now).orderBy('due_at').orderBy('number').limit(limit)).map(toPackage),
    packageKeys: (mark) => db.all(KEYS[mark]).map(({ key }) => JSON.parse(key)),
    packagesMarked: (mark, key, limit, which = 'oldest') => {
      const marked = all.where(columnOf(mark), '=', JSON.stringify(key)).limit(limit);
      const found = db.all(marked.orderBy('number', which === 'oldest' ? 'asc' : 'desc')).map(toPackage);
      return which === 'oldest' ? found : found.reverse();
    },
    staleStateFiles: () =>
      db
        .all(sql.selectFrom('projects').select(['id', 'state_stale_seq']).where('state_stale_seq', 'is not', null))
        .map(({ id, state_stale_seq }) => ({ projectId: id, seq: state_stale_seq ?? 0 })),
    markStateStale: (projectId, seq) =>
      void db.run(
        sql
          .updateTable('projects')
          .set({ state_stale_seq: raw<number>`max(coalesce(state_stale_seq, 0), ${seq})` })
          .where('id', '=', projectId),
      ),
    stateWritten: (projectId, seq) =>
      void db.run(
        sql
          .updateTable('projects')
          .set({ state_stale_seq: null })
          .where('id', '=', projectId)
          .where('state_stale_seq', '<=', seq),
      ),
    packagesInBrief: (projectId, limit, after) => {
      const briefs = sql
        .selectFrom('packages')
        .select(['id', 'created_at', 'from_agent', 'to_agent', 'state'])
        .where('project_id', '=', projectId)
        .orderBy('number')
        .limit(limit);
      return db.all(after === undefined ? briefs : briefs.where('number', '>', numberOf(after))).map(toPackageInBrief);
    },
    packagesBehind: (limit, after) => {
      if (after === undefined) return limit === 1 ? firstBehind(limit) : db.all(behind(limit)).map(toPackage);
      return db.all(behindOthers.where('number', '>', numberOf(after)).limit(limit)).map(toPackage);
    },
    packageWritten: (id, seq) =>
      void db.run(sql.updateTable('packages').set({ written_seq: seq }).where('id', '=', id)),
  };
}

const numberOf = (packageId: string) => sql.selectFrom('packages').select('number').where('id', '=', packageId);

/**
 * Each mark of `PackageMarks` stands for one kind of pending work on packages. This query returns all keys of one mark,
 * each key once. The query jumps from key to key in the index, because DISTINCT would read all packages.
 */
const keysOf = (mark: Mark): Query<{ key: string }> => {
  const column = raw.ref(columnOf(mark));
  const next = (before: RawBuilder<unknown>) => raw`(SELECT min(${column}) FROM packages WHERE ${column} > ${before})`;
  const query = raw<{ key: string }>`WITH RECURSIVE keys(key) AS (
      SELECT ${next(raw.lit(''))} UNION ALL SELECT ${next(raw.ref('key'))} FROM keys WHERE key IS NOT NULL
    ) SELECT key FROM keys WHERE key IS NOT NULL`;
  return fixed({ compile: () => query.compile(sql) });
};

/**
 * Returns the name of the database column for a mark. The cast gives every column the type of `mark_tell`, because
 * Kysely needs one fixed name. This is safe, because all mark columns have the same type.
 */
const columnOf = (mark: Mark) => `mark_${mark}` as 'mark_tell';

const KEYS = Object.fromEntries(MARKS.map((mark) => [mark, keysOf(mark)])) as Record<Mark, Query<{ key: string }>>;
