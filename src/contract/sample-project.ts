/** The demo project, used by the command line's own demo and by the server for the page's demo. */
export { DEMO_STORY, sampleFiles } from '../domain/sample-project.ts';
