/** Shell quoting for commands that the command line prints or writes into files. */
export { shellQuote, shellWord } from '../../domain/shell-quote.ts';
