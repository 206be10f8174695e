import type { QueryWord, SearchQuery } from './search-query.ts';
import { MAX_SEARCHED, type Word, wordsIn } from './search-words.ts';

/** A piece of an excerpt. `isHit` marks the words that the query names. */
export interface ExcerptPart {
  readonly text: string;
  readonly isHit: boolean;
}

/** A short part of a text that matches a query. */
export interface Excerpt {
  readonly parts: readonly ExcerptPart[];
  /** The line of the text that contains the chosen match, counted from 1. */
  readonly line: number;
}

/** The length of an excerpt, and the length of the part before the chosen match, in characters. */
const LENGTH = 240;
const IN_FRONT = 60;

interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns an excerpt that shows matches of the query; undefined if the text does not contain all parts of the query.
 */
export function excerptOf(text: string, query: SearchQuery): Excerpt | undefined {
  const words = wordsIn(text.slice(0, MAX_SEARCHED));
  const found = query.map((part) => placesOf(words, part));
  if (found.some((places) => places.length === 0)) return undefined;
  const all = found.flat().sort((one, other) => one.start - other.start);
  const first = densest(all, query.length);
  const start = first.start <= IN_FRONT ? 0 : wordStart(words, first.start - IN_FRONT);
  const end = wordEnd(words, start + LENGTH, text.length);
  return { parts: cut(text, { start, end }, all), line: lineAt(text, first.start) };
}

/** Returns the places in a text where all words of one part of the query stand one after another. */
function placesOf(words: readonly Word[], part: readonly QueryWord[]): readonly Range[] {
  const places: Range[] = [];
  for (let at = 0; at + part.length <= words.length; at++) {
    if (!part.every((wanted, offset) => isSame(words[at + offset], wanted))) continue;
    places.push({ start: words[at]?.start ?? 0, end: words[at + part.length - 1]?.end ?? 0 });
  }
  return places;
}

const isSame = (word: Word | undefined, { folded, isPrefix }: QueryWord): boolean =>
  word !== undefined && (isPrefix ? word.folded.startsWith(folded) : word.folded === folded);

/**
 * Chooses the match that the excerpt is taken from. If the query has only one part, this is the first match. If the
 * query has several parts, this is the match whose excerpt contains the most matches.
 */
function densest(places: readonly Range[], parts: number): Range {
  const first = places[0] ?? { start: 0, end: 0 };
  if (parts === 1) return first;
  let best = { place: first, count: 0 };
  for (let from = 0, to = 0; from < places.length; from++) {
    const place = places[from] ?? first;
    while (to < places.length && (places[to]?.end ?? 0) <= place.start + LENGTH - IN_FRONT) to += 1;
    if (to - from > best.count) best = { place, count: to - from };
  }
  return best.place;
}

const wordStart = (words: readonly Word[], from: number): number =>
  words.find(({ start }) => start >= from)?.start ?? from;

const wordEnd = (words: readonly Word[], to: number, length: number): number =>
  to >= length ? length : (words.filter(({ end }) => end <= to).at(-1)?.end ?? to);

function cut(text: string, { start, end }: Range, places: readonly Range[]): readonly ExcerptPart[] {
  const parts: ExcerptPart[] = [];
  let at = start;
  const add = (to: number, isHit: boolean): void => {
    const piece = text.slice(at, to).replace(/\s+/g, ' ');
    if (piece !== '') parts.push({ text: piece, isHit });
    at = to;
  };
  if (start > 0) parts.push({ text: '…', isHit: false });
  for (const place of places) {
    if (place.start < at || place.end > end) continue;
    add(place.start, false);
    add(place.end, true);
  }
  add(end, false);
  if (end < text.length) parts.push({ text: '…', isHit: false });
  return parts;
}

function lineAt(text: string, position: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < position; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}
