/**
 * C0 except tab and newline, DEL, C1, line and paragraph separators, zero-width characters and bidi controls: they
 * drive a terminal, or make a line read as something else.
 */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is made visible
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]/g;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Shows hidden characters as JSON escapes. */
export const visibleText = (text: string): string => text.replace(HIDDEN, escaped);

/** JSON with hidden characters escaped; it parses to the same value. */
export const visibleJson = (value: unknown): string => visibleText(JSON.stringify(value));
