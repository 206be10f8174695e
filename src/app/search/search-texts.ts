import type { Instant } from '../../domain/instant.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import { type Excerpt, excerptOf } from '../../domain/search/excerpt.ts';
import { packageText } from '../../domain/search/package-texts.ts';
import type { SearchEntry, SearchFilter } from '../../domain/search/search-entry.ts';
import { parseQuery, type SearchQuery } from '../../domain/search/search-query.ts';
import { MAX_SEARCHED } from '../../domain/search/search-words.ts';
import type { Ports } from '../ports/index.ts';

export interface Hit {
  readonly entry: SearchEntry;
  readonly excerpt: Excerpt;
}

export interface Found {
  readonly hits: readonly Hit[];
  /** The value of `before` for the next page; null if there are no more hits. */
  readonly next: number | null;
  /** How much of the history can be found, in percent. Less than 100 only after an update of an older home. */
  readonly indexedPercent: number;
}

type SearchPorts = Pick<Ports, 'store' | 'files' | 'secrets' | 'log'>;

/**
 * The number of entries that one search reads at most. The index does not know the order of words, so a search for a
 * phrase of common words may read many texts without the phrase.
 */
const MAX_READ = 200;

/**
 * Finds texts by their words, newest first. Each text is redacted again before it is compared, so a secret that Baton
 * learned after the text was indexed is not found either.
 */
export async function searchTexts(ports: SearchPorts, text: string, filter: SearchFilter): Promise<Found | Refusal> {
  const query = parseQuery(text);
  if (isRefusal(query)) return query;
  const hits: Hit[] = [];
  let before = filter.before;
  for (let read = 0; read < MAX_READ; read += filter.limit) {
    const entries = ports.store.read((tx) => tx.searchTexts(query, { ...filter, before }));
    for (const entry of entries) {
      const hit = await compare(ports, entry, query);
      if (hit !== undefined) hits.push(hit);
      before = entry.id;
      if (hits.length === filter.limit) return { hits, next: before, indexedPercent: indexedPercent(ports) };
    }
    if (entries.length < filter.limit) return { hits, next: null, indexedPercent: indexedPercent(ports) };
  }
  return { hits, next: before ?? null, indexedPercent: indexedPercent(ports) };
}

async function compare(ports: SearchPorts, entry: SearchEntry, query: SearchQuery): Promise<Hit | undefined> {
  const text = (await textOf(ports, entry))?.slice(0, MAX_SEARCHED);
  // Only a text that contains the words of a phrase in their order is redacted, because that takes longer.
  if (text === undefined || excerptOf(text, query) === undefined) return undefined;
  const excerpt = excerptOf(ports.secrets.redact(text), query);
  if (excerpt === undefined) return undefined;
  // The text of a decision is a part of its document, so its lines are counted from the heading.
  return { entry, excerpt: { ...excerpt, line: excerpt.line + (entry.line ?? 1) - 1 } };
}

/** Returns the text of an entry; undefined if the text cannot be read any more. */
async function textOf({ store, files }: SearchPorts, { text, sha256, packageId }: SearchEntry) {
  if (text !== null) return text;
  if (sha256 !== null) return (await files.keptDocument(sha256)).text;
  const stored = packageId === null ? undefined : store.read((tx) => tx.packageById(packageId));
  return stored && packageText(stored);
}

/** Returns how much of the log is indexed, in percent. */
export const indexedPercent = ({ store }: Pick<Ports, 'store'>): number =>
  store.read((tx) => {
    const missing = tx.searchBacklog().reduce((sum, { next, last }) => sum + next - last + 1, 0);
    return missing === 0 ? 100 : Math.min(99, Math.floor(100 * (1 - missing / Math.max(1, tx.lastSeq()))));
  });

/** Parses a time of a request. Returns undefined for a text that is not a time. */
export function instantIn(text: string): Instant | undefined {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : (new Date(ms).toISOString() as Instant);
}
