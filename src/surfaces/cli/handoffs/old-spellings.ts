import { define, group, idNumber, type Kit } from '../command-kit.ts';
import type { HandoffParams } from './hand-off.ts';
import { addRecordVerbs, addRunVerbs, REASONS } from './handoff-verbs.ts';

/** The command names of 0.1.0, for old scripts; each does exactly the same as its `baton handoff` command. */
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
    .argument('<agent>', 'the agent that died', idNumber)
    .option('--reason <reason>', REASONS)
    .option('--note <text>', 'a note for the successor')
    .option('--watch', 'follow the handoff until it ends')
    .action((agent: number, wanted: HandoffParams) =>
      run(async (cli) => (await import('./hand-off.ts')).handOff(cli, agent, { ...wanted, emergency: true })),
    );
}
