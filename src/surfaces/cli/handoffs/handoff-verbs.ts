import { resolve } from 'node:path';
import type { RunAction } from '../../../contract/resources.ts';
import type { RuntimeOptions } from '../agents/runs-on.ts';
import type { Cli } from '../cli.ts';
import { type ListPage, withPage } from '../client/list-page.ts';
import { define, idNumber, type Kit } from '../command-kit.ts';

export const REASONS = 'context_limit (default), shift_end or task_boundary';

const watch = async (cli: Cli, id: number): Promise<number> =>
  (await import('./watch-and-show.ts')).watchAndShow(cli, id);

/** Adds the commands about handoffs to `baton handoff`, and to the old spelling `baton run`. */
export function addRunVerbs({ program: parent, run }: Kit): void {
  withPage(
    define(parent, 'list', {
      summary: 'list the handoffs, newest first',
      example: 'baton handoff list --state failed',
    }),
  )
    .option('--state <state>', 'only handoffs that are in_flight, failed, completed or cancelled')
    .action((wanted: ListPage & { state?: string }) =>
      run(async (cli) => (await import('./runs.ts')).listRuns(cli, wanted)),
    );
  define(parent, 'show', { summary: 'show one handoff and what you can do now', example: 'baton handoff show 1' })
    .argument('<id>', 'the handoff', idNumber)
    .option('--watch', 'follow it until it ends, as baton handoff watch does')
    .option('--document', 'print only the handoff document, as Baton verified it')
    .action((id: number, wanted: { watch?: boolean; document?: boolean }) =>
      run(async (cli) => {
        if (wanted.document === true) return (await import('./handoff-records.ts')).showDocument(cli, id);
        return wanted.watch === true ? watch(cli, id) : (await import('./runs.ts')).showRun(cli, id);
      }),
    );
  define(parent, 'watch', { summary: 'follow a handoff until it ends', example: 'baton handoff watch 1' })
    .argument('<id>', 'the handoff', idNumber)
    .action((id: number) => run((cli) => watch(cli, id)));
  define(parent, 'texts', { summary: 'show the prompts sent in a handoff', example: 'baton handoff texts 1' })
    .argument('<id>', 'the handoff', idNumber)
    .action((id: number) => run(async (cli) => (await import('./runs.ts')).showRunTexts(cli, id)));
  addActions({ program: parent, run });
  addMessage({ program: parent, run });
}

function addActions({ program: parent, run }: Kit): void {
  for (const [action, summary] of Object.entries(ACTIONS) as [RunAction, string][]) {
    const name = action.replaceAll('_', '-');
    const verb = define(parent, name, { summary, example: `baton handoff ${name} 1` })
      .argument('<id>', 'the handoff', idNumber)
      .option('--yes', 'skip confirmation');
    if (action === 'resume')
      verb
        .option('--runtime <name>', 'start the successor with this agent type instead')
        .option('--model <name>', 'start the successor with this model instead');
    verb.action((id: number, { yes = false, ...wish }: { yes?: boolean } & RuntimeOptions) =>
      run(async (cli) => (await import('./act-on-run.ts')).actOnRun(cli, id, action, { yes, ...wish })),
    );
  }
  define(parent, 'adopt', {
    summary: 'use another file as the document, if the agent wrote it elsewhere',
    example: 'baton handoff adopt 1 ~/project/HANDOFF.md',
  })
    .argument('<id>', 'the handoff', idNumber)
    .argument('<file>', "in the agent's project or its persona's handoffs folder")
    .action((id: number, file: string) =>
      run(async (cli) =>
        (await import('./act-on-run.ts')).actOnRun(cli, id, 'adopt', { yes: true, file: resolve(file) }),
      ),
    );
  define(parent, 'send-back', {
    summary: 'send the document back with a comment; the agent writes it again',
    example: 'baton handoff send-back 1 "The open questions are missing."',
  })
    .argument('<id>', 'the handoff', idNumber)
    .argument('<comment>', 'what is wrong with the document; Baton sends it to the agent')
    .action((id: number, comment: string) =>
      run(async (cli) => (await import('./act-on-run.ts')).actOnRun(cli, id, 'send_back', { yes: true, comment })),
    );
}

/** Adds `baton handoff message`, which needs a text. */
function addMessage({ program: parent, run }: Kit): void {
  define(parent, 'message', {
    summary: 'send a message to a successor that ended its turn without an acknowledgment',
    example: 'baton handoff message 1 "Read the document first, then acknowledge."',
  })
    .argument('<id>', 'the handoff', idNumber)
    .argument('<text>', 'the message')
    .action((id: number, text: string) =>
      run(async (cli) => (await import('./act-on-run.ts')).actOnRun(cli, id, 'message', { yes: true, text })),
    );
}

/**
 * The actions on a handoff that need no further input, each with its summary. At any time, only some of the actions are
 * possible; `baton handoff show` lists the possible actions.
 */
const ACTIONS: Record<Exclude<RunAction, 'adopt' | 'send_back' | 'message'>, string> = {
  wait: 'wait again after a timeout, from where the handoff stopped',
  interrupt: 'interrupt the agent so that it becomes idle',
  check_again: 'check again for the document, or whether the prompt arrived',
  instruct_again: 'ask the agent for the document again',
  retry: 'retry the step that failed',
  accept: 'complete the handoff without an acknowledgment; the successor has the prompt',
  nudge: 'remind a successor that ended its turn without an acknowledgment',
  force_exit: 'kill an agent that does not exit',
  approve: 'approve the document; the agent is then asked to exit',
  cancel: 'cancel a handoff before the agent is asked to exit; the agent keeps running',
  resume: 'continue a stopped handoff that has a record; after a cancel, start it again',
  use_recorded: 'continue with the recorded document, although the agent may have worked since',
  undo: 'undo a handoff: end the successor and resume the predecessor',
};

/** Adds the commands whose argument is the number of a record and not the number of a handoff. */
export function addRecordVerbs({ program: parent, run }: Kit, names: { show: string; resume: string }): void {
  const actions = () => import('./handoff-records.ts');
  define(parent, names.show, {
    summary: 'show a handoff by its record, with the document as it was verified',
    example: 'baton handoff show-record 1',
  })
    .argument('<id>', 'the record; see: baton handoff list', idNumber)
    .action((id: number) => run(async (cli) => (await actions()).showHandoff(cli, id)));
  define(parent, names.resume, {
    summary: 'continue a stopped handoff by its record',
    example: 'baton handoff resume-record 1',
  })
    .argument('<id>', 'the record; see: baton handoff list', idNumber)
    .option('--yes', 'skip confirmation')
    .action((id: number, { yes = false }: { yes?: boolean }) =>
      run(async (cli) => (await actions()).resumeHandoff(cli, id, { yes })),
    );
}
