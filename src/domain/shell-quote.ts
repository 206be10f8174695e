/** Quotes any text as one word for a POSIX shell. */
export const shellQuote = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/**
 * Quotes a word for a command that a person reads, unless the word has only letters, digits and `_ . / -`. Other
 * characters need quotes; for example, zsh replaces an unquoted `=name` by the path of a program.
 */
export const shellWord = (word: string): string => (/^[\w./-]+$/.test(word) ? word : shellQuote(word));
