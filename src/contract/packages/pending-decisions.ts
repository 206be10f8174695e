/**
 * Exports, for command line and page, the function that returns the decisions of a package that a person still has to
 * make.
 */
export { pendingDecisions } from '../../domain/packages/content/package.ts';
