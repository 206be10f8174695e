// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is shown
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** One line in which nothing hides: what would act on a terminal, or be left out, is shown by its number. */
export const visible = (text: string): string =>
  text.replace(HIDDEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
