/** One word for a POSIX shell, whatever is in it. */
export const shellQuote = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;
