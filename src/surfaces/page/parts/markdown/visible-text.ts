/** Characters that deceive because they are invisible: control, format (direction marks, zero width), separators. */
const INVISIBLE = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** The text with each of them shown by its code point. */
export const visible = (text: string): string =>
  text.replace(INVISIBLE, (found) => `⟨U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`);
