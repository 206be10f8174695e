import { withoutEndMarker } from '../../domain/handoffs/document/document.ts';
import type { Instant } from '../../domain/instant.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import { type Excerpt, excerptOf } from '../../domain/search/excerpt.ts';
import { packageText } from '../../domain/search/package-texts.ts';
import type { SearchEntry, SearchFilter } from '../../domain/search/search-entry.ts';
import { parseQuery, phraseFilter, type SearchQuery, wordsForIndex } from '../../domain/search/search-query.ts';
import { MAX_SEARCHED } from '../../domain/search/search-words.ts';
import type { Ports } from '../ports/index.ts';

export interface Hit {
  readonly entry: SearchEntry;
  readonly excerpt: Excerpt;
}

export interface Found {
  readonly hits: readonly Hit[];
  /** The value of `before` with which the caller requests the next page. Null if there are no more hits. */
  readonly next: number | null;
  /**
   * How much of the history is indexed, in percent. The value is below 100 while Baton still fills the index, for
   * example after an update from a version without a search.
   */
  readonly indexedPercent: number;
}

type SearchPorts = Pick<Ports, 'store' | 'files' | 'secrets' | 'clock'>;

/**
 * The maximum number of entries and of characters that one search reads. Without a limit, a search for a phrase of
 * common words could read very many texts, because the index does not know the order of words.
 */
const MAX_READ = 200;
const MAX_CHARACTERS = 2_000_000;
/** The number of characters after which a search pauses for other work, so that it never blocks Baton for long. */
const CHARACTERS_AT_ONCE = 200_000;

/**
 * Finds texts by their words, newest first. Removes secrets from each text again before comparing the text with the
 * query. So the search does not find a secret that Baton learned of only after the text was indexed.
 */
export async function searchTexts(ports: SearchPorts, text: string, filter: SearchFilter): Promise<Found | Refusal> {
  const query = parseQuery(text);
  if (isRefusal(query)) return query;
  const hits: Hit[] = [];
  const mayHavePhrases = phraseFilter(query);
  const indexed = wordsForIndex(query);
  const found = (next: number | null): Found => ({ hits, next, indexedPercent: indexedPercent(ports) });
  let before = filter.before;
  let [characters, atOnce] = [0, 0];
  for (let read = 0; read < MAX_READ && characters < MAX_CHARACTERS; read += filter.limit) {
    const entries = ports.store.read((tx) => tx.searchTexts(indexed, { ...filter, before }));
    const texts = await Promise.all(entries.map((entry) => textOf(ports, entry)));
    for (const [index, entry] of entries.entries()) {
      const whole = texts[index]?.slice(0, MAX_SEARCHED) ?? '';
      if (atOnce + whole.length > CHARACTERS_AT_ONCE && atOnce > 0) {
        await new Promise<void>((resolve) => void ports.clock.after(0, resolve));
        atOnce = 0;
      }
      [characters, atOnce] = [characters + whole.length, atOnce + whole.length];
      const hit = mayHavePhrases(whole) ? compare(ports, entry, { query, text: whole }) : undefined;
      if (hit !== undefined) hits.push(hit);
      before = entry.id;
      if (hits.length === filter.limit) return found(before);
    }
    if (entries.length < filter.limit) return found(null);
  }
  return found(before ?? null);
}

function compare(
  { secrets }: SearchPorts,
  entry: SearchEntry,
  { query, text }: { readonly query: SearchQuery; readonly text: string },
): Hit | undefined {
  const excerpt = excerptOf(secrets.redact(text), query);
  if (excerpt === undefined) return undefined;
  // A decision in a handoff document is indexed as a text of its own, which begins at line `entry.line` of the
  // document. So count the line of the excerpt from the beginning of the document.
  return { entry, excerpt: { ...excerpt, line: excerpt.line + (entry.line ?? 1) - 1 } };
}

/** Returns the text of an entry; undefined if the text cannot be read any more. */
async function textOf({ store, files }: SearchPorts, { text, sha256, packageId }: SearchEntry) {
  if (text !== null) return text;
  if (sha256 !== null) {
    const { text: whole } = await files.keptDocument(sha256);
    return whole && withoutEndMarker(whole);
  }
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
