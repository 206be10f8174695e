import { namedAgent } from '../client/named-agent.ts';
import { agentName, define, group, type Kit } from '../command-kit.ts';
import type { HandoffParams } from './hand-off.ts';
import { addRecordVerbs, addRunVerbs, REASONS } from './handoff-verbs.ts';

/**
 * Adds the command names of version 0.1.0 for old scripts. Each of them does exactly the same as a `baton handoff`
 * command.
 */
export function addOldSpellings({ program, run }: Kit): void {
  addRunVerbs({ program: group(program, 'run', 'see: baton handoff --help', { hidden: true }), run });
  define(program, 'runs', {
    summary: 'list the handoffs, newest first',
    example: 'baton handoff list',
    hidden: true,
  }).action(() => run(async (cli) => (await import('./runs.ts')).listRuns(cli)));
  addRecordVerbs(
    { program: group(program, 'record', 'see: baton handoff --help', { hidden: true }), run },
    { show: 'show', resume: 'resume' },
  );
  define(program, 'succeed', {
    summary: 'start a successor for an agent that died without a document',
    example: 'baton handoff 3 --emergency --note "it was in the middle of the migration"',
    hidden: true,
  })
    .argument('<agent>', 'the agent that died', agentName)
    .option('--reason <reason>', REASONS)
    .option('--note <text>', 'a note for the successor')
    .option('--watch', 'follow the handoff until it ends')
    .action((agent: string, wanted: HandoffParams) =>
      run(async (cli) =>
        (await import('./hand-off.ts')).handOff(cli, await namedAgent(cli, agent), { ...wanted, emergency: true }),
      ),
    );
}
