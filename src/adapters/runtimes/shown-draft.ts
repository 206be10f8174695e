/** Characters without width (a joiner within an emoji, a soft hyphen) may be drawn or left out. */
const bare = (text: string): string => text.replace(/[\s\p{Cf}]+/gu, '');

/** Is the draft the end of the text? A composer shows a short text itself: wrapped and, if it is too tall, cut. */
export const isEndOf = (draft: string, text: string): boolean => bare(draft) !== '' && bare(text).endsWith(bare(draft));

/** Does a chip that counts line breaks, as a composer shows a long paste, stand for this text? */
export const countsLinesOf = (lineBreaks: string | undefined, text: string): boolean =>
  Number(lineBreaks ?? 0) === text.split('\n').length - 1;
