// biome-ignore-start lint/suspicious/noControlCharactersInRegex: control characters are what is removed
const SEQUENCES = /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)/g;
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
const CONTROLS_IN_JSON = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: see above
/** Direction marks and separators: with one, a name could make the rest of the line read as something else. */
const TURNS = /[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/**
 * Makes text from outside safe to show: an escape sequence in a name or a screen could move the cursor, retitle the
 * window or type into the operator's shell. Newline and tab stay.
 */
export function plainText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(SEQUENCES, '').replace(CONTROLS, '').replace(TURNS, '');
}

export const plainLine = (text: string): string => plainText(text).replace(/\s+/g, ' ').trim();

/** JSON escapes only the control characters below U+0020; the others act on a terminal just as well. */
export function plainJson(value: unknown, indent?: number): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value, null, indent).replace(CONTROLS_IN_JSON, escaped);
}
