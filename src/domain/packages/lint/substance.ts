import { EMPTY, isTaste, keyOf } from './vague-words.ts';

const SPACELESS = /[\p{sc=Han}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
/** Matches sequences of letters in one script. Hiragana is mostly grammar, so it only separates the sequences. */
const RUNS =
  /[\p{sc=Han}々]{1,200}|[\p{sc=Katakana}ー]{1,200}|[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]{1,200}|(?:(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}])[\p{L}\p{M}]){1,200}/gu;
const HANGUL = /\p{sc=Hangul}/u;
const SHORTEST_WORD = 4;

/**
 * Returns the keys by which texts are compared. A key is the beginning of a word or, in scripts without blanks, a pair
 * of adjacent characters. Two texts on the same subject have some keys in common.
 */
function keysOf(text: string): readonly string[] {
  return [...text.toLowerCase().matchAll(RUNS)].flatMap(([run]) => {
    if (SPACELESS.test(run)) return windows(run, 2);
    if (HANGUL.test(run)) return run.length < 2 ? [] : [run.slice(0, 2)];
    return run.length < SHORTEST_WORD ? [] : [keyOf(run)];
  });
}

/**
 * Returns the keys that begin at any position of a word, not only at its start. So `bestellung` is also found inside
 * `musterbestellungen`.
 */
function tracesOf(text: string): readonly string[] {
  return [...text.toLowerCase().matchAll(RUNS)].flatMap(([run]) => {
    if (SPACELESS.test(run) || HANGUL.test(run)) return windows(run, 2);
    return run.length <= keyOf(run).length ? [run] : windows(run, keyOf(run).length);
  });
}

const windows = (run: string, size: number): string[] =>
  Array.from({ length: Math.max(0, run.length - size + 1) }, (_, at) => run.slice(at, at + size));

/** Returns, for each key, the number of texts that contain the key. */
export function subjectOf(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts)
    for (const trace of new Set(tracesOf(text))) counts.set(trace, (counts.get(trace) ?? 0) + 1);
  return counts;
}

const ANCHORS: readonly RegExp[] = [
  /\p{N}/u,
  /[`"“”„«»「」『』].{1,200}[`"“”«»「」』]/u,
  /[\p{L}\p{N}_.-]\/[\p{L}\p{N}_.-]/u,
  /[\p{L}\p{N}_-]\.[a-z][a-z0-9]{1,4}(?![\p{L}\p{N}])/u,
  /(?<!\p{L})\p{Lu}{2}/u,
  /\p{Ll}\p{Lu}|[\p{L}\p{N}]_[\p{L}\p{N}]/u,
  /[@#§%€$]/,
];
const SHOUTED = /\b(?:OK|DONE|WIP|FYI|TODO|ASAP|TBD|LGTM|ETA|BLOCKING)\b/g;
const NAME = /[\p{Ll},;] \p{Lu}\p{Ll}/u;
/** Matches German text. German capitalizes every noun, so a capital letter in German text does not identify a name. */
const GERMAN =
  /(?<!\p{L})(?:der|die|das|dem|den|des|und|ist|sind|im|ein|eine|mit|für|auf|von|zu|wird|wurde|alle|alles|bitte)(?!\p{L})/iu;

/** True if the text names something specific: a number, path, file, identifier, acronym, quotation or name. */
export function hasAnchor(text: string): boolean {
  const calm = text.replace(SHOUTED, '');
  return ANCHORS.some((anchor) => anchor.test(calm)) || (NAME.test(calm) && !GERMAN.test(calm));
}

export interface Substance {
  /** The number of different content words in the text. */
  readonly content: number;
  /** How many different content words of the text also occur elsewhere in the package. */
  readonly shared: number;
}

export function substanceOf(text: string, subject: ReadonlyMap<string, number>): Substance {
  const content = [...new Set(keysOf(text))].filter((key) => !EMPTY.has(key));
  return { content: content.length, shared: content.filter((key) => (subject.get(key) ?? 0) > 1).length };
}

const WORDS = /[\p{L}\p{M}]{1,60}(?:-[\p{L}\p{M}]{1,60})?/gu;

const hasTaste = (text: string): boolean =>
  [...text.toLowerCase().matchAll(WORDS)].some(([word]) => isTaste(word)) || keysOf(text).some(isTaste);

const NO_SUBJECT: ReadonlyMap<string, number> = new Map();

/** True for a criterion or constraint that cannot be verified (SPEC P9). */
export function cannotBeChecked(text: string, subject: ReadonlyMap<string, number> = NO_SUBJECT): boolean {
  return !hasAnchor(text) && (hasTaste(text) || saysLittle(substanceOf(text, subject), 2));
}

/** True if the text shares no word with the rest of the package, and has fewer than `least` content words. */
export const saysLittle = ({ content, shared }: Substance, least: number): boolean => shared === 0 && content < least;
