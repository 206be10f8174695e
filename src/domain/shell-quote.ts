/** Quotes any text as one word for a POSIX shell. */
export const shellQuote = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/**
 * Quotes a word of a command that a person reads. A word that has only letters, digits and `_ . / -` needs no quotes.
 * Any other character needs them; zsh, for example, replaces an unquoted `=name` by the path of a program.
 */
export const shellWord = (word: string): string => (/^[\w./-]+$/.test(word) ? word : shellQuote(word));
