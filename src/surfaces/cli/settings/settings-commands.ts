import { define, group, type Kit } from '../command-kit.ts';

export function addSettingsCommands({ program, run }: Kit): void {
  const settings = group(program, 'settings', 'settings that you can change while Baton is running');
  define(settings, 'show', { summary: 'show the settings', example: 'baton settings show' }).action(() =>
    run(async (cli) => (await import('./settings.ts')).showSettings(cli)),
  );
  define(settings, 'set', {
    summary: 'change one setting in config.json; it applies immediately',
    example: 'baton settings set handoff_at_percent 70',
  })
    .argument(
      '<key>',
      'a key such as token_budget; see: baton settings show. quiet_hours takes a range such as 22:00-07:00',
    )
    .argument('<value>', 'the new value; "default" resets it')
    .action((key: string, value: string) =>
      run(async (cli) => (await import('./settings.ts')).setSetting(cli, key, value)),
    );
  define(settings, 'test-notification', {
    summary: 'send a test notification to every channel that is on',
    example: 'baton settings test-notification',
  }).action(() => run(async (cli) => (await import('./settings.ts')).testNotification(cli)));
  define(settings, 'template', {
    summary: 'print or change a prompt that Baton sends in a handoff',
    example: 'baton settings template instruction --file my-instruction.txt',
  })
    .argument('<name>', 'instruction or injection')
    .option('--file <file>', 'your own text; - reads standard input')
    .option('--reset', "restore Baton's default text")
    .action((name: string, { file, reset = false }: { file?: string; reset?: boolean }) =>
      run(async (cli) =>
        (await import('./settings.ts')).changeTemplate(cli, name, {
          reset,
          ...(file === undefined ? {} : { file }),
        }),
      ),
    );
}
