// Matches control and format characters. Control characters would reach the terminal as commands; format characters
// (bidi, zero width) hide or reorder text.
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Returns the text as one line, without anything that a terminal would interpret. */
export function cleanText(text: string): string {
  return text.replaceAll('\t', '    ').replace(UNSAFE, '');
}

export function cleanLines(text: string): string[] {
  return text.split(/\r\n|\r|\n/).map(cleanText);
}
