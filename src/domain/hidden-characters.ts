/**
 * All characters that can deceive a reader, such as control characters, direction marks, and zero-width characters that
 * hide text. Baton removes these characters or makes them visible wherever it shows text. Tab and newline stay.
 */
const HIDDEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

export const replaceHidden = (text: string, shown: (character: string) => string): string =>
  text.replace(HIDDEN, shown);

export const withoutHidden = (text: string): string => text.replace(HIDDEN, '');

/** Replaces hidden characters by JSON escapes. Escaped JSON still parses to the same value. */
export const escapeHidden = (text: string): string => text.replace(HIDDEN, jsonEscape);

/** Returns one escape per UTF-16 unit, as in JSON, so a character beyond U+FFFF gets two escapes. */
export const jsonEscape = (character: string): string =>
  Array.from({ length: character.length }, (_, at) => unitEscape(character.charCodeAt(at))).join('');

const unitEscape = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0')}`;
