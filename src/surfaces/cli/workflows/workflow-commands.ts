import { define, group, type Kit } from '../command-kit.ts';

const actions = () => import('./workflow.ts');

export function addWorkflowCommands({ program, run }: Kit): void {
  const workflow = group(program, 'workflow', 'the order in which the agents of a project pass work on');
  define(workflow, 'show', {
    summary: 'show the workflow of a project, and where its packages stand in it',
    example: 'baton workflow show ~/src/tally',
  })
    .argument('[project]', 'its path or id; else the folder that you are in')
    .action((project: string | undefined) => run(async (cli) => (await actions()).showWorkflow(cli, project)));
  define(workflow, 'check', {
    summary: 'judge a workflow file; exits 0 only if it can be used',
    example: 'baton workflow check .project/workflow.yaml',
  })
    .argument('<file>', 'the YAML file')
    .action((file: string) => run(async (cli) => (await actions()).checkWorkflow(cli, file)));
}
