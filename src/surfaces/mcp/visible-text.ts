import { escapeHidden } from '../../contract/words/hidden-characters.ts';

/** Shows hidden characters as JSON escapes. */
export const visibleText = (text: string): string => escapeHidden(text);

/** Returns JSON with hidden characters escaped. The escaped JSON parses to the same value. */
export const visibleJson = (value: unknown): string => visibleText(JSON.stringify(value));
