/** Names for projects in lists. The names tell projects apart that have the same folder name. */
export { projectNames } from '../../domain/project-names.ts';
