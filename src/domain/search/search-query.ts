import type { Refusal } from '../refusals.ts';
import { isAscii, MAX_WORD, wordsIn } from './search-words.ts';

/** A word of a query. With `isPrefix`, the word also matches longer words that begin with it. */
export interface QueryWord {
  readonly folded: string;
  readonly isPrefix: boolean;
}

/**
 * A query as a list of parts. Each part is one word, or several words that must follow each other. A text matches if it
 * contains all parts.
 */
export type SearchQuery = readonly (readonly QueryWord[])[];

const MAX_QUERY = 1_000;
const MAX_WORDS = 20;
/**
 * The minimum number of characters before an asterisk in a query. With fewer characters, a search would have to visit a
 * large part of the index.
 */
const SHORTEST_PREFIX = 3;

/** Matches text in quotation marks, or text up to the next space. A quotation mark without its partner is ignored. */
const PART = /"([^"]*)"|([^\s"]+)/gu;

/**
 * Parses the operator's query. Only quotation marks and an asterisk at the end of a word have a special meaning. Every
 * other character that is not part of a word only separates words.
 */
export function parseQuery(text: string): SearchQuery | Refusal {
  if (text.length > MAX_QUERY) return wrong(`The query is longer than ${MAX_QUERY} characters. Search for fewer words`);
  const parts = [...text.matchAll(PART)].map(([, phrase, single = '']) => partOf(phrase ?? single)).filter(isFull);
  const words = parts.flat();
  if (words.length === 0)
    return wrong('The query has no word to search for. Name a word, or a phrase in quotation marks');
  if (words.length > MAX_WORDS) return wrong(`The query has more than ${MAX_WORDS} words. Search for fewer words`);
  const short = words.find(({ folded, isPrefix }) => isPrefix && [...folded].length < SHORTEST_PREFIX);
  if (short !== undefined)
    return wrong(`"${short.folded}*" is too short. Write at least ${SHORTEST_PREFIX} characters before the asterisk`);
  return parts;
}

const wrong = (sentence: string): Refusal => ({ code: 'bad_request', sentence });

const isFull = (part: readonly QueryWord[]): boolean => part.length > 0;

/** A name such as `record-facts.ts` has several words, and they must follow each other as in a phrase. */
function partOf(text: string): readonly QueryWord[] {
  const words = wordsIn(text);
  const isPrefix = text.trimEnd().endsWith('*');
  return words.map(({ folded }, index) => ({ folded, isPrefix: isPrefix && index === words.length - 1 }));
}

/** True if the words of a text include all words of the query, in any order. */
export const hasAllWords = (words: ReadonlySet<string>, query: SearchQuery): boolean =>
  query
    .flat()
    .every(({ folded, isPrefix }) =>
      isPrefix ? [...words].some((word) => word.startsWith(folded)) : words.has(folded),
    );

/**
 * Returns the words that the search looks up in the index: all words without an asterisk, but only the longest word
 * with an asterisk, because each further word with an asterisk would slow the search down. The caller checks each text
 * against the whole query.
 */
export function wordsForIndex(query: SearchQuery): SearchQuery {
  const words = query.flat();
  const longest = words
    .filter(({ isPrefix }) => isPrefix)
    .reduce((best, { folded }) => (folded.length > best.length ? folded : best), '');
  const wanted = words.filter(({ folded, isPrefix }) => !isPrefix || folded === longest);
  return [...new Map(wanted.map((word) => [`${word.folded}${word.isPrefix ? '*' : ''}`, [word]])).values()];
}

/**
 * Returns a function that quickly decides whether a text may contain the phrases of the query. The function is exact
 * for a text in ASCII, and returns true for any other text.
 */
export function phraseFilter(query: SearchQuery): (text: string) => boolean {
  const phrases = query.filter(({ length }) => length > 1).map(phrasePattern);
  return (text) => phrases.length === 0 || !isAscii(text) || phrases.every((phrase) => phrase.test(text));
}

export const phrasePattern = (phrase: readonly QueryWord[]): RegExp => {
  const words = phrase.map(({ folded, isPrefix }) =>
    isPrefix || folded.length === MAX_WORD ? `${folded}[a-z0-9]*` : folded,
  );
  return new RegExp(`(?<![a-z0-9])${words.join('[^a-z0-9]+')}(?![a-z0-9])`, 'i');
};
