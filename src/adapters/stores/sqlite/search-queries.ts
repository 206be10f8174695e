import { type Insertable, sql as raw } from 'kysely';
import type { Tx } from '../../../app/ports/store.ts';
import type { Instant } from '../../../domain/instant.ts';
import {
  firstIdAt,
  freeId,
  idAfter,
  type NewSearchEntry,
  type SearchEntry,
  type SearchFilter,
  type SearchKind,
} from '../../../domain/search/search-entry.ts';
import type { SearchQuery } from '../../../domain/search/search-query.ts';
import { type Connection, prepared, preparedRow, type Query, sql } from './connection.ts';
import type { Schema } from './schema.ts';

type SearchVerbs = Pick<Tx, 'indexText' | 'forgetText' | 'searchTexts' | 'searchBacklog' | 'saveSearchBacklog'>;

/**
 * The index also contains words that stand for a kind, a persona or a project. Each of these words begins with this
 * character, which no word of a text contains.
 */
const FACET = '\uE000';

export function searchQueries(db: Connection): SearchVerbs {
  const between = prepared((from: number, to: number) =>
    sql
      .selectFrom('search_entries')
      .select('id')
      .where('id', '>=', from)
      .where('id', '<=', to)
      .orderBy('id', 'desc')
      .limit(1),
  );
  const highest = (from: number, to: number): number | undefined => db.first(between(from, to))?.id;
  const withKey = prepared((key: string) =>
    sql.selectFrom('search_entries').select(['id', 'at']).where('key', '=', key),
  );
  const save = preparedRow(({ id, key, ...row }: Insertable<Schema['search_entries']>) =>
    sql
      .insertInto('search_entries')
      .values({ id, key, ...row })
      .onConflict((same) => same.column('key').doUpdateSet(row)),
  );
  const saveWords = prepared((rowid: number, words: string) =>
    sql.replaceInto('search_index').values({ rowid, words }),
  );
  return {
    indexText: (entry, words) => {
      const known = db.first(withKey(entry.key));
      const id = known?.id ?? freeId(entry.at, highest);
      db.run(save({ id, key: entry.key, ...fromEntry(entry), at: known?.at ?? entry.at }));
      db.run(saveWords(id, [...facetsOf(entry), ...words].join(' ')));
    },
    // Delete only the entry. A trigger on `search_entries` then removes the words of the entry from the index.
    forgetText: (key) => void db.run(sql.deleteFrom('search_entries').where('key', '=', key)),
    searchTexts: (query, filter) => db.all<Schema['search_entries']>(hits(query, filter)).map(toEntry),
    searchBacklog: () => db.all(sql.selectFrom('search_backlog').selectAll().orderBy('last', 'desc')),
    saveSearchBacklog: ({ next, last }) => {
      if (next < last) {
        db.run(sql.deleteFrom('search_backlog').where('last', '=', last));
        return;
      }
      db.run(
        sql
          .insertInto('search_backlog')
          .values({ last, next })
          .onConflict((same) => same.column('last').doUpdateSet({ next })),
      );
    },
  };
}

const facetsOf = ({ kind, personaIds, projectId }: NewSearchEntry): readonly string[] => [
  kindFacet(kind),
  ...personaIds.map(personaFacet),
  ...(projectId === null ? [] : [projectFacet(projectId)]),
];

const kindFacet = (kind: SearchKind): string => `${FACET}${kind}`;
const personaFacet = (id: number): string => `${FACET}p${id}`;
const projectFacet = (id: number): string => `${FACET}j${id}`;

/**
 * Reads the newest hits first, and stops after `limit` hits, so the rest of the index is not read. Ranking by relevance
 * would read all hits of a common word.
 */
function hits(query: SearchQuery, filter: SearchFilter): Query<Schema['search_entries']> {
  const { since, until, before = Number.MAX_SAFE_INTEGER, limit } = filter;
  const below = Math.min(before, until === undefined ? Number.MAX_SAFE_INTEGER : idAfter(until));
  const from = since === undefined ? 0 : firstIdAt(since);
  const statement = raw<Schema['search_entries']>`SELECT e.* FROM search_index
    JOIN search_entries AS e ON e.id = search_index.rowid
    WHERE search_index MATCH ${expression(query, filter)}
      AND search_index.rowid < ${below} AND search_index.rowid >= ${from}
      AND e.at >= ${since ?? ''} AND e.at <= ${until ?? '~'}
    ORDER BY search_index.rowid DESC LIMIT ${limit}`;
  return { compile: () => statement.compile(sql) };
}

/** Builds the expression for FTS5. Each word is in quotation marks, so that no word acts as an operator. */
function expression(query: SearchQuery, { kind, personaId, projectId }: SearchFilter): string {
  const facets = [
    ...(kind === undefined ? [] : [kindFacet(kind)]),
    ...(personaId === undefined ? [] : [personaFacet(personaId)]),
    ...(projectId === undefined ? [] : [projectFacet(projectId)]),
  ];
  const words = query.flat().map(({ folded, isPrefix }) => `"${folded}"${isPrefix ? ' *' : ''}`);
  return [...facets.map((facet) => `"${facet}"`), ...words].join(' AND ');
}

const fromEntry = ({
  kind,
  at,
  agentId,
  personaIds,
  projectId,
  runId,
  packageId,
  line,
  sha256,
  text,
}: NewSearchEntry) => ({
  kind,
  at,
  agent_id: agentId,
  persona_ids: JSON.stringify(personaIds),
  project_id: projectId,
  run_id: runId,
  package_id: packageId,
  line,
  sha256,
  text,
});

const toEntry = (row: Schema['search_entries']): SearchEntry => ({
  id: row.id,
  kind: row.kind as SearchKind,
  key: row.key,
  at: row.at as Instant,
  agentId: row.agent_id,
  personaIds: JSON.parse(row.persona_ids) as number[],
  projectId: row.project_id,
  runId: row.run_id,
  packageId: row.package_id,
  line: row.line,
  sha256: row.sha256,
  text: row.text,
});
