/**
 * The one list of characters that deceive a reader: control characters act on a terminal, direction marks reorder a
 * line, zero-width and tag characters hide text, separators break lines, lone surrogates are no characters. Every
 * surface shows or removes all of them, so that none is weaker than another. Tab and newline stay.
 */
const HIDDEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

export const replaceHidden = (text: string, shown: (character: string) => string): string =>
  text.replace(HIDDEN, shown);

export const withoutHidden = (text: string): string => text.replace(HIDDEN, '');

/** Shows hidden characters as JSON escapes. JSON in which they are escaped parses to the same value. */
export const escapeHidden = (text: string): string => text.replace(HIDDEN, jsonEscape);

/** One escape per UTF-16 unit, as JSON has it: a tag character beyond U+FFFF takes two. */
export const jsonEscape = (character: string): string =>
  Array.from({ length: character.length }, (_, at) => unitEscape(character.charCodeAt(at))).join('');

const unitEscape = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0')}`;
