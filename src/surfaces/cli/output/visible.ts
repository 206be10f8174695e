// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is shown
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** One line without hidden characters: those that act on a terminal or are invisible are shown by their number. */
export const visible = (text: string): string =>
  text.replace(HIDDEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
