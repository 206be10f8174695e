/** The decisions of a package that a person still has to make, for command line and page. */
export { pendingDecisions } from '../../domain/packages/content/package.ts';
