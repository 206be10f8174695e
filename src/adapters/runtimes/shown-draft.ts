/**
 * Removes spaces and invisible characters (a joiner within an emoji, a soft hyphen), because clients draw or omit them
 * differently.
 */
const bare = (text: string): string => text.replace(/[\s\p{Cf}]+/gu, '');

/**
 * True if the text ends with the draft. If a composer has too little room, it does not show the beginning of the text.
 */
export const isEndOf = (draft: string, text: string): boolean => bare(draft) !== '' && bare(text).endsWith(bare(draft));

/**
 * True if this text has as many line breaks as the composer's chip says. A composer shows such a chip in place of a
 * long paste.
 */
export const countsLinesOf = (lineBreaks: string | undefined, text: string): boolean =>
  Number(lineBreaks ?? 0) === text.split('\n').length - 1;
