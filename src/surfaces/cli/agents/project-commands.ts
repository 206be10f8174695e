import type { RunsOn } from '../../../contract/resources.ts';
import { define, group, type Kit, personaName } from '../command-kit.ts';
import { runsOnList } from './runs-on.ts';

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
  define(projects, 'exclude', {
    summary: "keep Baton's package archive (.project/07-audit) out of git, in this clone only",
    example: 'baton project exclude .',
  })
    .argument('<path>', 'the folder')
    .action((path: string) => run(async (cli) => (await import('./projects.ts')).excludeArchive(cli, path)));
  define(projects, 'runs-on', {
    summary: 'set what agents of a project run on, unless their persona has such a list',
    example: 'baton project runs-on . FIRST,SECOND:MODEL',
  })
    .argument('<project>', 'its folder or id')
    .argument(
      '<list>',
      'agent types with their models and arguments, first choice first, such as "FIRST --verbose,SECOND:MODEL"; none removes the list',
      runsOnList,
    )
    .action((project: string, list: readonly RunsOn[]) =>
      run(async (cli) => (await import('./projects.ts')).projectRunsOn(cli, project, list)),
    );
  define(projects, 'default-persona', {
    summary: 'set the default persona of a project',
    example: 'baton project default-persona . developer-con-1',
  })
    .argument('<project>', 'its folder or id')
    .argument('[persona]', 'the slug or name of the persona', personaName)
    .option('--none', 'remove the default persona')
    .action((project: string, slug: string | undefined, { none = false }: { none?: boolean }) =>
      run(async (cli) => (await import('./projects.ts')).defaultPersona(cli, project, { slug, none })),
    );
}
