/** Functions that replace, escape or remove hidden characters. Page, command line and API share them. */
export { escapeHidden, jsonEscape, replaceHidden, withoutHidden } from '../../domain/hidden-characters.ts';
