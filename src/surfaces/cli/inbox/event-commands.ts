import { define, type Kit, wholeNumber } from '../command-kit.ts';
import type { EventsRequest } from './print-events.ts';

export function addEventCommands({ program, run }: Kit): void {
  define(program, 'events', {
    summary: 'print what happened, one line each (--json: one JSON object each)',
    example: 'baton events --agent 3 --type agent_state_changed --order desc --limit 20',
  })
    .option('--after <seq>', 'only events behind this number', wholeNumber, 0)
    .option('--before <seq>', 'only events before this number', wholeNumber)
    .option('--agent <id>', 'only events about this agent', wholeNumber)
    .option('--run <id>', 'only events of this handoff run', wholeNumber)
    .option('--package <id>', 'only events of this package')
    .option('--type <types>', 'only events of these types, separated by commas')
    .option('--limit <count>', 'at most so many', wholeNumber)
    .option('--order <order>', 'asc (default) or desc, the newest first')
    .option('--follow', 'go on with what happens from now on')
    .action((wanted: EventsRequest) =>
      run(async (cli) => (await import('./print-events.ts')).printEvents(cli, wanted)),
    );
}
