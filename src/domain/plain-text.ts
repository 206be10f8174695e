/**
 * C0 except tab and newline, DEL, C1, line and paragraph separators, bidi controls, lone surrogates.
 * ESC is the one that matters most: tmux 3.3a passes `ESC[201~` through, which ends the bracketed paste, and what
 * follows is then typed as keys.
 */
const NOT_TYPED =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\p{Cs}]/gu;

/** Clients look past leading blanks, so `  /exit` is a command as well. */
const COMMAND_LIKE = /^[\s\u200b-\u200d\u2060]*[/!#@]/u;

/** What of a text can be typed: nothing that acts as a key. */
export const typeable = (text: string): string => text.replace(/\r\n?/g, '\n').replace(NOT_TYPED, '');

/** Would a client take it for a command, a shell line, a note to itself or the name of a file? */
export const looksLikeCommand = (text: string): boolean => COMMAND_LIKE.test(typeable(text));

/** The same for what was typed and for what a client says it got: clients turn tabs into blanks and drop blanks at the ends. */
export const comparable = (text: string): string => typeable(text).replace(/\s+/g, ' ').trim();

/**
 * Text from outside without control characters other than tab and newline. NUL above all: SQLite's text ends at it, and
 * what stood behind it would be lost without a word.
 */
export const withoutControls = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed
  text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '');

export const onOneLine = (text: string): string => withoutControls(text).replace(/[\t\n]/g, '');

/** An expression such as `/-+$/` begins anew at each of them, which costs the square of their number. */
export function withoutEnding(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
