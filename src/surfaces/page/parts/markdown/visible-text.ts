/** What a reader cannot see can deceive him: control, format (direction marks, zero width) and separator characters. */
const INVISIBLE = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** The same text with each of them shown by its number. */
export const visible = (text: string): string =>
  text.replace(INVISIBLE, (found) => `⟨U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`);
