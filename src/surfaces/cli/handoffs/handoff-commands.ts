import { resolve } from 'node:path';
import type { RunAction } from '../../../contract/resources.ts';
import { define, group, idNumber, type Kit } from '../command-kit.ts';
import type { HandoffParams } from './hand-off.ts';

export function addHandoffCommands({ program, run }: Kit): void {
  define(program, 'handoff', {
    summary: 'hand an agent over to a successor',
    example: 'baton handoff 3 --reason context_limit --watch',
  })
    .argument('<agent>', 'the outgoing agent', idNumber)
    // Any reason passes here: the server validates it, after the agent, and lists the ones it knows.
    .option('--reason <reason>', 'context_limit (default), shift_end or task_boundary')
    .option('--note <text>', 'something both agents should know')
    .option('--review', 'wait for your approval of the document before the agent is asked to exit')
    .option('--background <fate>', 'its background shells when it exits: stop (default) or keep')
    .option('--watch', 'follow it to its end')
    .action((agent: number, { watch = false, ...rest }: Partial<HandoffParams>) =>
      run(async (cli) => (await import('./hand-off.ts')).handOff(cli, agent, { watch, ...rest })),
    );
  define(program, 'succeed', {
    summary: 'start a successor for an agent that died without a document',
    example: 'baton succeed 3 --note "it was in the middle of the migration"',
  })
    .argument('<agent>', 'the agent that died', idNumber)
    .option('--reason <reason>', 'context_limit (default), shift_end or task_boundary')
    .option('--note <text>', 'something the successor should know')
    .option('--watch', 'follow it to its end')
    .action((agent: number, { watch = false, ...rest }: Partial<HandoffParams>) =>
      run(async (cli) => (await import('./hand-off.ts')).succeed(cli, agent, { watch, ...rest })),
    );
  define(program, 'ack', {
    summary: 'acknowledge a handoff (run by the successor inside its session)',
    example: 'baton ack 1 --proof TOKEN --task "what I am going to do"',
  })
    .argument('<run>', 'the handoff run', idNumber)
    .requiredOption('--proof <token>', "the token in the document's last line")
    .requiredOption('--task <text>', 'what you are going to do, in your own words')
    .action((id: number, { proof, task }: { proof: string; task: string }) =>
      run(async (cli) => (await import('./acknowledge.ts')).acknowledge(cli, id, { proof, task })),
    );
}

export function addRunCommands({ program, run }: Kit): void {
  const runs = group(program, 'run', 'handoffs, past and under way');
  define(runs, 'list', { summary: 'list the handoffs, newest first', example: 'baton run list' }).action(() =>
    run(async (cli) => (await import('./runs.ts')).listRuns(cli)),
  );
  define(runs, 'show', { summary: 'show one handoff', example: 'baton run show 1 --watch' })
    .argument('<id>', 'the handoff run', idNumber)
    .option('--watch', 'follow it to its end')
    .action((id: number, { watch = false }: { watch?: boolean }) =>
      run(async (cli) =>
        watch
          ? (await import('./watch-and-show.ts')).watchAndShow(cli, id)
          : (await import('./runs.ts')).showRun(cli, id),
      ),
    );
  define(runs, 'texts', { summary: 'show what was really typed in a handoff', example: 'baton run texts 1' })
    .argument('<id>', 'the handoff run', idNumber)
    .action((id: number) => run(async (cli) => (await import('./runs.ts')).showRunTexts(cli, id)));
  for (const [action, summary] of Object.entries(ACTIONS) as [RunAction, string][]) {
    const name = action.replaceAll('_', '-');
    const command = define(runs, name, { summary, example: `baton run ${name} 1` })
      .argument('<id>', 'the handoff run', idNumber)
      .option('--yes', 'do not ask back');
    command.action((id: number, { yes = false }: { yes?: boolean }) =>
      run(async (cli) => (await import('./act-on-run.ts')).actOnRun(cli, id, action, { yes })),
    );
  }
  define(runs, 'adopt', {
    summary: 'take a file that the agent wrote elsewhere as its document',
    example: 'baton run adopt 1 ~/project/HANDOFF.md',
  })
    .argument('<id>', 'the handoff run', idNumber)
    .argument('<file>', "in the agent's project or its persona's handoffs folder")
    .action((id: number, file: string) =>
      run(async (cli) =>
        (await import('./act-on-run.ts')).actOnRun(cli, id, 'adopt', { yes: true, file: resolve(file) }),
      ),
    );
  define(runs, 'send-back', {
    summary: 'send the document back with a comment: the agent writes it again',
    example: 'baton run send-back 1 "The open questions are missing."',
  })
    .argument('<id>', 'the handoff run', idNumber)
    .argument('<comment>', 'what is wrong with the document; the agent is told so')
    .action((id: number, comment: string) =>
      run(async (cli) => (await import('./act-on-run.ts')).actOnRun(cli, id, 'send_back', { yes: true, comment })),
    );
  define(program, 'runs', { summary: 'list the handoffs, newest first', example: 'baton runs --json' }).action(() =>
    run(async (cli) => (await import('./runs.ts')).listRuns(cli)),
  );
}

export function addRecordCommands({ program, run }: Kit): void {
  const records = group(program, 'record', 'what was handed over');
  const actions = () => import('./handoff-records.ts');
  define(records, 'show', {
    summary: 'show one record with its run and the document as it was verified',
    example: 'baton record show 1',
  })
    .argument('<id>', 'the record; see: baton persona handoffs', idNumber)
    .action((id: number) => run(async (cli) => (await actions()).showHandoff(cli, id)));
  define(records, 'resume', {
    summary: 'go on with the run of a record, from where it stopped',
    example: 'baton record resume 1',
  })
    .argument('<id>', 'the record; see: baton persona handoffs', idNumber)
    .option('--yes', 'do not ask back')
    .action((id: number, { yes = false }: { yes?: boolean }) =>
      run(async (cli) => (await actions()).resumeHandoff(cli, id, { yes })),
    );
}

/** `baton run show` lists those that are possible now. */
const ACTIONS: Record<Exclude<RunAction, 'adopt' | 'send_back'>, string> = {
  wait: 'wait again for what the run waited for in vain',
  interrupt: 'interrupt the agent, so that it comes to rest',
  check_again: 'look again for the document, or whether the prompt arrived',
  instruct_again: 'ask the agent once more for the document',
  retry: 'do the step again at which the run failed',
  accept: 'leave it at that: the successor has the prompt, although its turn failed',
  force_exit: 'end by force the agent that does not exit',
  approve: 'approve the document: the agent is asked to exit',
  cancel: 'cancel a handoff before the agent is asked to exit',
  resume: 'go on with a run that has a record: from where it stopped, after a cancel with a fresh document',
  use_recorded: 'go on with the document that is recorded, although the agent may have gone on since',
  undo: 'end the successor and bring the predecessor back',
};

export function addInboxCommands({ program, run }: Kit): void {
  const inbox = group(program, 'inbox', 'what needs you');
  define(inbox, 'list', { summary: 'list what needs you, oldest first', example: 'baton inbox list' }).action(() =>
    run(async (cli) => (await import('../inbox/inbox.ts')).showInbox(cli)),
  );
  define(inbox, 'dismiss', {
    summary: 'take an item out of the inbox; what it is about is not changed by that',
    example: 'baton inbox dismiss 2',
  })
    .argument('<id>', 'the item', idNumber)
    .action((id: number) => run(async (cli) => (await import('../inbox/inbox.ts')).dismissItem(cli, id)));
}
