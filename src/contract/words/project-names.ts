/** The names of projects in lists, where two projects may have the same folder name. */
export { projectNames } from '../../domain/project-names.ts';
