import type { Command } from 'commander';
import { runsOnList } from '../agents/runs-on.ts';
import { type ListPage, withPage } from '../client/list-page.ts';
import { define, group, type Kit, personaInPath } from '../command-kit.ts';
import { addKnowledgeCommands } from './knowledge-commands.ts';
import type { PersonaEdit } from './persona-details.ts';

export function addPersonaCommands(kit: Kit): void {
  const { program, run } = kit;
  const personas = group(program, 'persona', 'identities with skill and experience that successors inherit');
  define(personas, 'register', {
    summary: 'register a persona and create its folder for skill, experience and handoffs',
    example: 'baton persona register --role developer --name Con',
  })
    .requiredOption('--role <role>', 'its role, such as developer')
    .requiredOption('--name <name>', 'its name')
    .action(({ role, name }: { role: string; name: string }) =>
      run(async (cli) => (await import('./personas.ts')).registerPersona(cli, { role, name })),
    );
  define(personas, 'list', { summary: 'list the personas', example: 'baton persona list' }).action(() =>
    run(async (cli) => (await import('./personas.ts')).listPersonas(cli)),
  );
  withPage(
    define(personas, 'handoffs', {
      summary: 'list the handoffs of a persona, newest first',
      example: 'baton persona handoffs developer-con-1',
    }),
  )
    .argument('<persona>', 'the slug or name of the persona', personaInPath)
    .action((slug: string, page: ListPage) =>
      run(async (cli) => (await import('../handoffs/handoff-records.ts')).listHandoffs(cli, slug, page)),
    );
  addChanging(personas, kit);
  addKnowledgeCommands(personas, kit);
  for (const name of ['skill', 'experience'] as const) addText(personas, kit, name);
}

function addChanging(personas: Command, { run }: Kit): void {
  const of = (usage: string, summary: string, more = ''): Command =>
    define(personas, usage, { summary, example: `baton persona ${usage} developer-con-1${more}` }).argument(
      '<persona>',
      'the slug or name of the persona',
      personaInPath,
    );
  const actions = () => import('./persona-details.ts');
  of('show', 'show one persona').action((slug: string) => run(async (cli) => (await actions()).showPersona(cli, slug)));
  of('edit', 'change the name or role of a persona (its slug stays), or what its agents run on', ' --name Connie')
    .option('--name <name>', 'the new name')
    .option('--role <role>', 'the new role')
    .option(
      '--runs-on <list>',
      'agent types with their models and arguments, first choice first, such as "FIRST --verbose,SECOND:MODEL"; the first that can start is used; none removes the list',
      runsOnList,
    )
    .action((slug: string, edit: PersonaEdit) => run(async (cli) => (await actions()).editPersona(cli, slug, edit)));
  of('archive', 'archive a persona: new agents cannot use it, running agents keep it').action((slug: string) =>
    run(async (cli) => (await actions()).archivePersona(cli, slug)),
  );
  of('restore', 'make an archived persona available again').action((slug: string) =>
    run(async (cli) => (await actions()).restorePersona(cli, slug)),
  );
  withPage(of('lineage', 'list the agents that had a persona, oldest first')).action((slug: string, page: ListPage) =>
    run(async (cli) => (await actions()).showLineage(cli, slug, page)),
  );
}

function addText(personas: Command, { run }: Kit, name: 'skill' | 'experience'): void {
  define(personas, name, {
    summary: `print or replace ${name}.md of a persona`,
    example: `baton persona ${name} developer-con-1 --file new.md`,
  })
    .argument('<persona>', 'the slug or name of the persona', personaInPath)
    .option('--file <file>', 'replace it with this file; - reads standard input')
    .addHelpText('after', '\nControl characters are not printed; --json prints the text unchanged.')
    .action((slug: string, { file }: { file?: string }) =>
      run(async (cli) => (await import('./persona-texts.ts')).personaText(cli, { slug, name, file })),
    );
}
