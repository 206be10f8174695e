import { escapeHidden, jsonEscape } from '../../../contract/words/hidden-characters.ts';

/** Returns one line of text. Characters that are invisible or act on a terminal are shown by their number. */
export const visible = (text: string): string => escapeHidden(text).replace(/[\t\n]/g, jsonEscape);
