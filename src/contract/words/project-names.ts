/** Names for projects in lists. Projects that have the same folder name get different names. */
export { projectNames } from '../../domain/project-names.ts';
