import { define, group, type Kit, personaSlug } from '../command-kit.ts';

export function addProjectCommands({ program, run }: Kit): void {
  const projects = group(program, 'project', 'folders in which agents work');
  define(projects, 'add', { summary: 'add a folder as a project', example: 'baton project add ~/src/tally' })
    .argument('<path>', 'the folder')
    .option('--name <name>', "a name other than the folder's")
    .action((path: string, { name }: { name?: string }) =>
      run(async (cli) => (await import('./projects.ts')).addProject(cli, path, name)),
    );
  define(projects, 'list', { summary: 'list the projects', example: 'baton project list' }).action(() =>
    run(async (cli) => (await import('./projects.ts')).listProjects(cli)),
  );
  define(projects, 'default-persona', {
    summary: 'set the default persona of a project',
    example: 'baton project default-persona . developer-con-1',
  })
    .argument('<project>', 'its folder or id')
    .argument('[slug]', 'the persona', personaSlug)
    .option('--none', 'remove the default persona')
    .action((project: string, slug: string | undefined, { none = false }: { none?: boolean }) =>
      run(async (cli) => (await import('./projects.ts')).defaultPersona(cli, project, { slug, none })),
    );
}
