/**
 * Matches the characters that Baton never types: control characters except tab and newline, bidi controls, line and
 * paragraph separators, and lone surrogates. ESC is the most dangerous one, because `ESC[201~` ends the bracketed
 * paste. The list in `hidden-characters.ts` is longer.
 */
const NOT_TYPED = /(?![\n\t])[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\p{Cs}]/gu;

const CONTROLS = /(?![\n\t])\p{Cc}/gu;

/** Matches the beginning of a command. Clients ignore leading blanks, so ` /exit` is also a command. */
const COMMAND_LIKE = /^[\s\u200b-\u200d\u2060]*[/!#@]/u;

/** Turns every line end into a newline, and removes the characters that Baton never types. */
export const typeable = (text: string): string => text.replace(/\r\n?/g, '\n').replace(NOT_TYPED, '');

/** True if a client would interpret the text as a command, a shell line, a memory note or a file mention. */
export const looksLikeCommand = (text: string): boolean => COMMAND_LIKE.test(typeable(text));

/**
 * Normalizes a text as clients do, which replace tabs by blanks and trim the text. So a normalized text can be compared
 * with the text that the client received.
 */
export const comparable = (text: string): string => typeable(text).replace(/\s+/g, ' ').trim();

/**
 * Removes control characters other than tab and newline. NUL is the most dangerous one, because SQLite would silently
 * truncate the text at the NUL.
 */
export const withoutControls = (text: string): string => text.replace(CONTROLS, '');

export const onOneLine = (text: string): string => withoutControls(text).replace(/[\t\n]/g, '');

/**
 * Removes all of the given characters from the end of a text. Uses no regular expression, because one such as `/-+$/`
 * would take quadratic time.
 */
export function withoutEnding(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
