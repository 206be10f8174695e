/** A word of a text in the form in which the search compares words, with its place in the text. */
export interface Word {
  readonly folded: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Matches one word. Chinese and Japanese texts have no spaces between words, so each of their characters is a word of
 * its own, and a query for several such characters is a phrase.
 */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{N}\p{M}])+/gu;

/** Matches everything that is not part of a plain word, such as accents and the spaces of a decomposed character. */
const NOT_PLAIN = /[^\p{L}\p{N}]+/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is all of ASCII
const ASCII = /^[\x00-\x7f]*$/;

/** A longer word is cut here, so that a page of base64 does not become one word of the index. */
const MAX_WORD = 64;

/** Returns a word without accents, in lower case: "Café" becomes "cafe". */
export const fold = (word: string): string =>
  (ASCII.test(word) ? word : word.normalize('NFKD').replace(NOT_PLAIN, '')).toLowerCase().slice(0, MAX_WORD);

/** Returns the words of a text in their order. */
export function* wordsIn(text: string): Generator<Word> {
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const folded = fold(word);
    if (folded !== '') yield { folded, start: index, end: index + word.length };
  }
}

/** Only this part of a text is searched, so that one huge text cannot block Baton. */
export const MAX_SEARCHED = 200_000;

/** Returns the different words of the searched part of a text. */
export function distinctWords(text: string): ReadonlySet<string> {
  const words = new Set<string>();
  for (const { folded } of wordsIn(text.slice(0, MAX_SEARCHED))) words.add(folded);
  return words;
}
