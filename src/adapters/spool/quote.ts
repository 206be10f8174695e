/** Quotes any text as one word for a POSIX shell. */
export const quote = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;
