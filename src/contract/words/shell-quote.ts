/** Shell quoting for the commands that the command line prints and writes. */
export { shellQuote, shellWord } from '../../domain/shell-quote.ts';
