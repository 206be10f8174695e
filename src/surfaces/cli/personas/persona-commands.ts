import type { Command } from 'commander';
import { define, group, type Kit, personaSlug } from '../command-kit.ts';

export function addPersonaCommands(kit: Kit): void {
  const { program, run } = kit;
  const personas = group(program, 'persona', 'identities that outlive agents');
  define(personas, 'register', {
    summary: 'register a persona: its skill, experience and handoffs get a folder',
    example: 'baton persona register --role developer --name Con',
  })
    .requiredOption('--role <role>', 'what it does, such as developer')
    .requiredOption('--name <name>', 'what it is called')
    .action(({ role, name }: { role: string; name: string }) =>
      run(async (cli) => (await import('./personas.ts')).registerPersona(cli, { role, name })),
    );
  define(personas, 'list', { summary: 'list the personas', example: 'baton persona list' }).action(() =>
    run(async (cli) => (await import('./personas.ts')).listPersonas(cli)),
  );
  define(personas, 'handoffs', {
    summary: 'list what a persona handed over, newest first',
    example: 'baton persona handoffs developer-con-1',
  })
    .argument('<slug>', 'the persona')
    .action((slug: string) =>
      run(async (cli) => (await import('../handoffs/handoff-records.ts')).listHandoffs(cli, slug)),
    );
  addChanging(personas, kit);
  for (const name of ['skill', 'experience'] as const) addText(personas, kit, name);
}

function addChanging(personas: Command, { run }: Kit): void {
  const of = (usage: string, summary: string, more = ''): Command =>
    define(personas, usage, { summary, example: `baton persona ${usage} developer-con-1${more}` }).argument(
      '<slug>',
      'the persona',
      personaSlug,
    );
  const actions = () => import('./persona-details.ts');
  of('show', 'show all about one persona').action((slug: string) =>
    run(async (cli) => (await actions()).showPersona(cli, slug)),
  );
  of('edit', 'change its name or role; its slug stays', ' --name Connie')
    .option('--name <name>', 'what it is called')
    .option('--role <role>', 'what it does')
    .action((slug: string, edit: { name?: string; role?: string }) =>
      run(async (cli) => (await actions()).editPersona(cli, slug, edit)),
    );
  of('archive', 'let no agent begin with it any more; those that have it go on').action((slug: string) =>
    run(async (cli) => (await actions()).archivePersona(cli, slug)),
  );
  of('restore', 'let agents begin with it again').action((slug: string) =>
    run(async (cli) => (await actions()).restorePersona(cli, slug)),
  );
  of('lineage', 'list who wore it, oldest first').action((slug: string) =>
    run(async (cli) => (await actions()).showLineage(cli, slug)),
  );
}

function addText(personas: Command, { run }: Kit, name: 'skill' | 'experience'): void {
  define(personas, name, {
    summary: `print its ${name}.md, or save another`,
    example: `baton persona ${name} developer-con-1 --file new.md`,
  })
    .argument('<slug>', 'the persona', personaSlug)
    .option('--file <file>', 'save this file in its place; - reads it from standard input')
    .addHelpText('after', '\nPrinted without control characters; with --json exactly as it is.')
    .action((slug: string, { file }: { file?: string }) =>
      run(async (cli) => (await import('./persona-texts.ts')).personaText(cli, { slug, name, file })),
    );
}
