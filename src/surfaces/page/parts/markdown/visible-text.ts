import { replaceHidden } from '../../../../contract/words/hidden-characters.ts';

/** Returns the text with each hidden character shown by its code point. */
export const visible = (text: string): string =>
  replaceHidden(text, (found) => `⟨U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`);
