/**
 * Control characters except tab and newline, bidi controls, line and paragraph separators, lone surrogates. ESC matters
 * most: tmux 3.3a passes `ESC[201~` through, which ends the bracketed paste, so that the rest of the text is typed as
 * keys. Shorter than the list in `hidden-characters.ts`, because typed text is not shown but sent: the zero-width
 * joiner belongs to the spelling of Persian and of many emoji.
 */
const NOT_TYPED = /(?![\n\t])[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\p{Cs}]/gu;

const CONTROLS = /(?![\n\t])\p{Cc}/gu;

/** Clients ignore leading blanks, so `  /exit` is a command as well. */
const COMMAND_LIKE = /^[\s\u200b-\u200d\u2060]*[/!#@]/u;

/** Removes every character that a terminal would take for a key. */
export const typeable = (text: string): string => text.replace(/\r\n?/g, '\n').replace(NOT_TYPED, '');

/** Would a client take the text for a command, a shell line, a memory note or a file mention? */
export const looksLikeCommand = (text: string): boolean => COMMAND_LIKE.test(typeable(text));

/** Normalizes typed and received text for comparison: clients replace tabs by blanks and trim both ends. */
export const comparable = (text: string): string => typeable(text).replace(/\s+/g, ' ').trim();

/**
 * Removes control characters other than tab and newline. NUL matters most: SQLite text ends at it, and the rest would
 * be lost silently.
 */
export const withoutControls = (text: string): string => text.replace(CONTROLS, '');

export const onOneLine = (text: string): string => withoutControls(text).replace(/[\t\n]/g, '');

/** A loop instead of a regular expression such as `/-+$/`, which takes quadratic time on long runs of `-`. */
export function withoutEnding(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
