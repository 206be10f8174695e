import { define, group, type Kit } from '../command-kit.ts';

const actions = () => import('./workflow.ts');

export function addWorkflowCommands({ program, run }: Kit): void {
  const workflow = group(program, 'workflow', 'the order in which agents of a project pass on work');
  define(workflow, 'show', {
    summary: 'show the workflow of a project and the step of each package',
    example: 'baton workflow show ~/src/tally',
  })
    .argument('[project]', 'its path or id (default: the current folder)')
    .action((project: string | undefined) => run(async (cli) => (await actions()).showWorkflow(cli, project)));
  define(workflow, 'check', {
    summary: 'check a workflow file; exits 0 only if it is valid',
    example: 'baton workflow check .project/workflow.yaml',
  })
    .argument('<file>', 'the YAML file')
    .action((file: string) => run(async (cli) => (await actions()).checkWorkflow(cli, file)));
}
