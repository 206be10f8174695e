import { define, group, type Kit } from './command-kit.ts';

export function addProjectCommands({ program, run }: Kit): void {
  const projects = group(program, 'project', 'folders in which agents work');
  define(projects, 'add', { summary: 'let agents work in a folder', example: 'baton project add ~/src/tally' })
    .argument('<path>', 'the folder')
    .option('--name <name>', "another name than the folder's")
    .action((path: string, { name }: { name?: string }) =>
      run(async (cli) => (await import('../actions/projects.ts')).addProject(cli, path, name)),
    );
  define(projects, 'list', { summary: 'list the projects', example: 'baton project list' }).action(() =>
    run(async (cli) => (await import('../actions/projects.ts')).listProjects(cli)),
  );
}
