import { namedAgent } from '../client/named-agent.ts';
import { agentName, define, type Kit, wholeNumber } from '../command-kit.ts';
import type { EventsRequest } from './print-events.ts';

export function addEventCommands({ program, run }: Kit): void {
  define(program, 'events', {
    summary: 'print the event log, one line per event (--json: one JSON object per line)',
    example: 'baton events --since 2h --agent 3',
  })
    .option('--since <time>', 'only events since then: 30m, 2h, 18:00, 2026-11-15 or 2026-11-15T18:00')
    .option('--after <seq>', 'only events after this number', wholeNumber, 0)
    .option('--before <seq>', 'only events before this number', wholeNumber)
    .option('--agent <agent>', 'only events about this agent: its number, or the name of its persona', agentName)
    .option('--run <id>', 'only events of this handoff', wholeNumber)
    .option('--package <id>', 'only events of this package')
    .option('--type <types>', 'only events of these types, separated by commas')
    .option('--limit <count>', 'at most this many', wholeNumber)
    .option('--order <order>', 'asc (default) or desc (newest first)')
    .option('--follow', 'keep printing new events')
    .action(({ agent, ...wanted }: Omit<EventsRequest, 'agent'> & { readonly agent?: string }) =>
      run(async (cli) => {
        const about = agent === undefined ? {} : { agent: await namedAgent(cli, agent) };
        return (await import('./print-events.ts')).printEvents(cli, { ...wanted, ...about });
      }),
    );
}
