import { escapeHidden } from '../../contract/words/hidden-characters.ts';

/** Shows hidden characters as JSON escapes. */
export const visibleText = (text: string): string => escapeHidden(text);

/** JSON with hidden characters escaped; it parses to the same value. */
export const visibleJson = (value: unknown): string => visibleText(JSON.stringify(value));
