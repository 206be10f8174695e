/**
 * Removes blanks and characters without width (a joiner within an emoji, a soft hyphen), which a client may draw or
 * omit.
 */
const bare = (text: string): string => text.replace(/[\s\p{Cf}]+/gu, '');

/**
 * True if the draft is the end of the text. A composer wraps a short text and, if it is too tall, cuts off its
 * beginning.
 */
export const isEndOf = (draft: string, text: string): boolean => bare(draft) !== '' && bare(text).endsWith(bare(draft));

/**
 * True if this text has as many line breaks as the chip says. A composer shows such a chip in place of a long paste.
 */
export const countsLinesOf = (lineBreaks: string | undefined, text: string): boolean =>
  Number(lineBreaks ?? 0) === text.split('\n').length - 1;
