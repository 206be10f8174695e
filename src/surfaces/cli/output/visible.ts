import { escapeHidden, jsonEscape } from '../../../contract/words/hidden-characters.ts';

/**
 * Returns the text on one line. Characters that are invisible or act on a terminal are shown by their character code.
 */
export const visible = (text: string): string => escapeHidden(text).replace(/[\t\n]/g, jsonEscape);
