import { escapeHidden, withoutHidden } from '../../../contract/words/hidden-characters.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed
const SEQUENCES = /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)/g;

/**
 * Makes text from outside safe to show: an escape sequence in a name or a screen could move the cursor, retitle the
 * window or type into the operator's shell. Other hidden characters are removed as well; newline and tab stay.
 */
export function plainText(text: string): string {
  return withoutHidden(text.replaceAll('\r\n', '\n').replace(SEQUENCES, ''));
}

export const plainLine = (text: string): string => plainText(text).replace(/\s+/g, ' ').trim();

/** JSON escapes only the control characters below U+0020; the other hidden ones act on a terminal just as well. */
export const plainJson = (value: unknown, indent?: number): string => escapeHidden(JSON.stringify(value, null, indent));
