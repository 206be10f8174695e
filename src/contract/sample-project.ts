/** The demo's project: the command line plays in it by itself, the server for the page. */
export { sampleFiles } from '../domain/sample-project.ts';
