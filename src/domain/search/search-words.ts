/** A word of a text in the form in which the search compares words, with its place in the text. */
export interface Word {
  readonly folded: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Matches one word. Chinese and Japanese texts have no spaces between words, so each of their characters counts as a
 * word of its own. A query for several such characters is a phrase.
 */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{N}\p{M}])+/uy;

/**
 * Matches everything that is neither a letter nor a digit. Such characters remain, for example, when an accented letter
 * is decomposed into a letter and its accent.
 */
const NOT_PLAIN = /[^\p{L}\p{N}]+/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is all of ASCII
const ASCII = /^[\x00-\x7f]*$/;
export const isAscii = (text: string): boolean => ASCII.test(text);

/**
 * The maximum length of a word. A longer word is truncated. Without a limit, a page of base64 would be one huge word of
 * the index.
 */
export const MAX_WORD = 64;

/** Returns a word without accents, in lower case: "Café" becomes "cafe". */
export const fold = (word: string): string =>
  (isAscii(word) ? word : word.normalize('NFKD').replace(NOT_PLAIN, '')).toLowerCase().slice(0, MAX_WORD);

/**
 * Returns the words of a text in their order. Words of ASCII letters and digits, which are the most frequent, are found
 * without the regular expression, which would take ten times longer.
 */
export function wordsIn(text: string): readonly Word[] {
  const words: Word[] = [];
  for (let start = 0; start < text.length; ) {
    let end = plainEnd(text, start);
    if (text.charCodeAt(end) > LAST_ASCII) end = wordEndAt(text, start) ?? end;
    if (end === start) {
      start += (text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1;
      continue;
    }
    const folded = fold(text.slice(start, end));
    if (folded !== '') words.push({ folded, start, end });
    start = end;
  }
  return words;
}

const LAST_ASCII = 0x7f;

/** Returns the position after the sequence of ASCII letters and digits that begins at `start`. */
function plainEnd(text: string, start: number): number {
  let end = start;
  while (isPlain(text.charCodeAt(end))) end += 1;
  return end;
}

const isPlain = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);

/** Returns the position after the word that begins exactly at `start`; undefined if no word begins there. */
function wordEndAt(text: string, start: number): number | undefined {
  WORD.lastIndex = start;
  return WORD.test(text) ? WORD.lastIndex : undefined;
}

/** How many characters at the beginning of a text are searched, so that one huge text cannot block Baton. */
export const MAX_SEARCHED = 200_000;

/** Returns the different words of the searched part of a text. */
export function distinctWords(text: string): ReadonlySet<string> {
  const words = new Set<string>();
  for (const { folded } of wordsIn(text.slice(0, MAX_SEARCHED))) words.add(folded);
  return words;
}
