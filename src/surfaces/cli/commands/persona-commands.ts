import { define, group, type Kit } from './command-kit.ts';

export function addPersonaCommands({ program, run }: Kit): void {
  const personas = group(program, 'persona', 'identities that outlive agents');
  define(personas, 'register', {
    summary: 'register a persona: its skill, experience and handoffs get a folder',
    example: 'baton persona register --role developer --name Con',
  })
    .requiredOption('--role <role>', 'what it does, such as developer')
    .requiredOption('--name <name>', 'what it is called')
    .action(({ role, name }: { role: string; name: string }) =>
      run(async (cli) => (await import('../actions/personas.ts')).registerPersona(cli, { role, name })),
    );
  define(personas, 'list', { summary: 'list the personas', example: 'baton persona list' }).action(() =>
    run(async (cli) => (await import('../actions/personas.ts')).listPersonas(cli)),
  );
  define(personas, 'handoffs', {
    summary: 'list what a persona handed over, newest first',
    example: 'baton persona handoffs developer-con-1',
  })
    .argument('<slug>', 'the persona')
    .action((slug: string) =>
      run(async (cli) => (await import('../actions/handoff-records.ts')).listHandoffs(cli, slug)),
    );
}
