/** C0 except tab and newline, DEL, C1, line and paragraph separators, bidi controls: they act, or make a line say something else. */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is made visible
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]/g;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** What hides in a text is shown as JSON would write it. */
export const visibleText = (text: string): string => text.replace(HIDDEN, escaped);

/** The same value for whoever parses it. */
export const visibleJson = (value: unknown): string => visibleText(JSON.stringify(value));
