/** The list of hidden characters for the surfaces: each shows or removes them in its own way. */
export { escapeHidden, jsonEscape, replaceHidden, withoutHidden } from '../../domain/hidden-characters.ts';
