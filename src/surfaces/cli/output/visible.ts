import { escapeHidden, jsonEscape } from '../../../contract/words/hidden-characters.ts';

/** One line without hidden characters: those that act on a terminal or are invisible are shown by their number. */
export const visible = (text: string): string => escapeHidden(text).replace(/[\t\n]/g, jsonEscape);
