import { define, group, type Kit, wholeNumber } from './command-kit.ts';

export function addHandoffCommands({ program, run }: Kit): void {
  define(program, 'handoff', {
    summary: 'hand an agent over to a successor',
    example: 'baton handoff 3 --reason context_limit --watch',
  })
    .argument('<agent>', 'the outgoing agent', wholeNumber)
    // Not restricted here: the server judges the reason, after the agent, and lists the ones it knows.
    .option('--reason <reason>', 'context_limit (default), shift_end or task_boundary')
    .option('--note <text>', 'something both agents should know')
    .option('--watch', 'follow it to its end')
    .action((agent: number, { watch = false, ...rest }: { reason?: string; note?: string; watch?: boolean }) =>
      run(async (cli) => (await import('../actions/hand-off.ts')).handOff(cli, agent, { watch, ...rest })),
    );
  define(program, 'ack', {
    summary: 'acknowledge a handoff (run by the successor inside its session)',
    example: 'baton ack 1 --proof TOKEN --task "what I am going to do"',
  })
    .argument('<run>', 'the handoff run', wholeNumber)
    .requiredOption('--proof <token>', "the token in the document's last line")
    .requiredOption('--task <text>', 'what you are going to do, in your own words')
    .action((id: number, { proof, task }: { proof: string; task: string }) =>
      run(async (cli) => (await import('../actions/acknowledge.ts')).acknowledge(cli, id, { proof, task })),
    );
}

export function addRunCommands({ program, run }: Kit): void {
  const runs = group(program, 'run', 'handoffs, past and under way');
  define(runs, 'list', { summary: 'list the handoffs, newest first', example: 'baton run list' }).action(() =>
    run(async (cli) => (await import('../actions/runs.ts')).listRuns(cli)),
  );
  define(runs, 'show', { summary: 'show one handoff', example: 'baton run show 1 --watch' })
    .argument('<id>', 'the handoff run', wholeNumber)
    .option('--watch', 'follow it to its end')
    .action((id: number, { watch = false }: { watch?: boolean }) =>
      run(async (cli) =>
        watch
          ? (await import('../actions/watch-and-show.ts')).watchAndShow(cli, id)
          : (await import('../actions/runs.ts')).showRun(cli, id),
      ),
    );
  define(runs, 'cancel', {
    summary: 'cancel a handoff before the agent is asked to exit',
    example: 'baton run cancel 1',
  })
    .argument('<id>', 'the handoff run', wholeNumber)
    .action((id: number) => run(async (cli) => (await import('../actions/runs.ts')).cancelRun(cli, id)));
}
