import { define, group, type Kit, personaSlug } from '../command-kit.ts';

export function addProjectCommands({ program, run }: Kit): void {
  const projects = group(program, 'project', 'folders in which agents work');
  define(projects, 'add', { summary: 'let agents work in a folder', example: 'baton project add ~/src/tally' })
    .argument('<path>', 'the folder')
    .option('--name <name>', "another name than the folder's")
    .action((path: string, { name }: { name?: string }) =>
      run(async (cli) => (await import('./projects.ts')).addProject(cli, path, name)),
    );
  define(projects, 'list', { summary: 'list the projects', example: 'baton project list' }).action(() =>
    run(async (cli) => (await import('./projects.ts')).listProjects(cli)),
  );
  define(projects, 'default-persona', {
    summary: 'say which persona agents of a project begin with unless another is named',
    example: 'baton project default-persona . developer-con-1',
  })
    .argument('<project>', 'its folder or its number')
    .argument('[slug]', 'the persona', personaSlug)
    .option('--none', 'no persona any more')
    .action((project: string, slug: string | undefined, { none = false }: { none?: boolean }) =>
      run(async (cli) => (await import('./projects.ts')).defaultPersona(cli, project, { slug, none })),
    );
}
