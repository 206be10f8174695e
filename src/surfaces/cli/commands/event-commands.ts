import { define, type Kit, wholeNumber } from './command-kit.ts';

export function addEventCommands({ program, run }: Kit): void {
  define(program, 'events', {
    summary: 'print what happened, one line each (--json: one JSON object each)',
    example: 'baton events --after 100 --follow',
  })
    .option('--after <seq>', 'only events behind this number', wholeNumber, 0)
    .option('--follow', 'go on with what happens from now on')
    .action(({ after, follow = false }: { after: number; follow?: boolean }) =>
      run(async (cli) => (await import('../actions/print-events.ts')).printEvents(cli, { after, follow })),
    );
}
