/**
 * Text from outside without control characters other than tab and newline. NUL above all: SQLite's text ends at it, and
 * what stood behind it would be lost without a word.
 */
export const withoutControls = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed
  text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '');

export const onOneLine = (text: string): string => withoutControls(text).replace(/[\t\n]/g, '');
