import { define, group, type Kit } from '../command-kit.ts';

export function addSettingsCommands({ program, run }: Kit): void {
  const settings = group(program, 'settings', 'what you can change while Baton runs');
  define(settings, 'show', { summary: 'show the settings', example: 'baton settings show' }).action(() =>
    run(async (cli) => (await import('./settings.ts')).showSettings(cli)),
  );
  define(settings, 'set', {
    summary: 'change one setting in config.json; it is in force at once',
    example: 'baton settings set handoff_at_percent 70',
  })
    .argument('<key>', 'one of those that `baton settings show` lists; quiet_hours such as 22:00-07:00')
    .argument('<value>', 'the value; "default" takes it back')
    .action((key: string, value: string) =>
      run(async (cli) => (await import('./settings.ts')).setSetting(cli, key, value)),
    );
  define(settings, 'template', {
    summary: 'print or change the wording of what Baton types in a handoff',
    example: 'baton settings template instruction --file my-instruction.txt',
  })
    .argument('<name>', 'instruction or injection')
    .option('--file <file>', 'your own text; - reads it from standard input')
    .option('--reset', "back to Baton's own wording")
    .action((name: string, { file, reset = false }: { file?: string; reset?: boolean }) =>
      run(async (cli) =>
        (await import('./settings.ts')).changeTemplate(cli, name, {
          reset,
          ...(file === undefined ? {} : { file }),
        }),
      ),
    );
}
