/** One word for a POSIX shell, whatever is in it. */
export const quote = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;
