/** Turns a persona's name into a word for a URL path, such as "zoe-b" for "Zoë B". */
export { plainWord } from '../../domain/personas/persona.ts';
