/** The hidden characters, for page, command line and API. Each of them shows or removes the characters differently. */
export { escapeHidden, jsonEscape, replaceHidden, withoutHidden } from '../../domain/hidden-characters.ts';
