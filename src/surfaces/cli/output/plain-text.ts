import { escapeHidden, withoutHidden } from '../../../contract/words/hidden-characters.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern removes control characters
const SEQUENCES = /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)/g;

/**
 * Makes text from outside safe to show. An escape sequence in a name or on a screen could move the cursor, retitle the
 * window or type into the operator's shell. Other hidden characters are removed too, except newline and tab.
 */
export function plainText(text: string): string {
  return withoutHidden(text.replaceAll('\r\n', '\n').replace(SEQUENCES, ''));
}

export const plainLine = (text: string): string => plainText(text).replace(/\s+/g, ' ').trim();

/** Returns JSON with all hidden characters escaped. JSON itself escapes only control characters below U+0020. */
export const plainJson = (value: unknown, indent?: number): string => escapeHidden(JSON.stringify(value, null, indent));
