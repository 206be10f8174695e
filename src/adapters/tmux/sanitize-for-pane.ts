/**
 * C0 except tab and newline, DEL, C1, line and paragraph separators, bidi controls, lone surrogates.
 * ESC is the one that matters most: tmux 3.3a passes `ESC[201~` through, which ends the bracketed paste, and what
 * follows is then typed as keys.
 */
const REMOVED =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\p{Cs}]/gu;

/** Clients look past leading blanks, so `  /exit` is a command as well. */
const COMMAND_LIKE = /^[\s\u200b-\u200d\u2060]*[/!#@]/u;

/** What may be pasted into a pane: nothing that acts as a key, and nothing that a client takes for a command. */
export function sanitizeForPane(text: string): string {
  const clean = text.replace(/\r\n?/g, '\n').replace(REMOVED, '');
  return COMMAND_LIKE.test(clean) ? `Note: ${clean}` : clean;
}
