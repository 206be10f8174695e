import type { Tx } from '../../src/app/ports/store.ts';
import { freeId, type SearchBacklog, type SearchEntry } from '../../src/domain/search/search-entry.ts';
import { hasAllWords } from '../../src/domain/search/search-query.ts';
import type { Journal } from './journal.ts';

/** Implements the full-text index in memory, without a disk. The index keeps the set of words of each text. */
export function searchQueries(
  journal: Journal,
): Pick<Tx, 'indexText' | 'forgetText' | 'searchTexts' | 'searchBacklog' | 'saveSearchBacklog'> {
  const rows = journal.table<{ readonly entry: SearchEntry; readonly words: ReadonlySet<string> }>();
  const backlog = journal.table<SearchBacklog>();
  const highest = (from: number, to: number): number | undefined =>
    rows
      .all()
      .map(({ entry }) => entry.id)
      .filter((id) => id >= from && id <= to)
      .sort((one, other) => other - one)[0];
  return {
    indexText: (entry, words) => {
      const known = rows.all().find((row) => row.entry.key === entry.key)?.entry;
      const id = known?.id ?? freeId(entry.at, highest);
      rows.set(id, { entry: { ...entry, id, at: known?.at ?? entry.at }, words });
    },
    forgetText: (key) => {
      const known = rows.all().find((row) => row.entry.key === key)?.entry;
      if (known !== undefined) rows.delete(known.id);
    },
    searchTexts: (query, { personaId, projectId, kind, since = '', until = '~', before = Infinity, limit }) =>
      rows
        .all()
        .filter(
          ({ entry, words }) =>
            entry.id < before &&
            entry.at >= since &&
            entry.at <= until &&
            (kind === undefined || entry.kind === kind) &&
            (personaId === undefined || entry.personaIds.includes(personaId)) &&
            (projectId === undefined || entry.projectId === projectId) &&
            hasAllWords(words, query),
        )
        .map(({ entry }) => entry)
        .sort((one, other) => other.id - one.id)
        .slice(0, limit),
    searchBacklog: () => backlog.all().toSorted((one, other) => other.last - one.last),
    saveSearchBacklog: (part) => (part.next < part.last ? backlog.delete(part.last) : backlog.set(part.last, part)),
  };
}
