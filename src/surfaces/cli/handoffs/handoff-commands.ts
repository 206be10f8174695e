import { Command, CommanderError, Option } from 'commander';
import { define, idNumber, type Kit } from '../command-kit.ts';
import type { HandoffParams } from './hand-off.ts';
import { addRecordVerbs, addRunVerbs, REASONS } from './handoff-verbs.ts';

export function addHandoffCommands(kit: Kit): void {
  const { program, run } = kit;
  const handoff = define(program, 'handoff', {
    summary: 'hand off an agent to a successor; list, show and manage handoffs',
    example: 'baton handoff 3 --reason context_limit --watch\n  $ baton handoff list',
  })
    .usage('[options] <agent>\n       baton handoff <command>')
    // Options after a subcommand belong to that subcommand, because `handoff` and `handoff show` both have --watch.
    .enablePositionalOptions()
    .helpCommand(true)
    .hook('preSubcommand', refuseMisplacedOptions);
  handoff
    .argument('<agent>', 'the number of the agent that hands off', (text) => agentNumber(handoff, text))
    // Any reason is accepted here, because the server validates it and lists the valid reasons.
    .option('--reason <reason>', REASONS)
    .option('--note <text>', 'a note for both agents')
    .option('--review', 'wait for your approval of the document before the agent is asked to exit')
    .option('--background <mode>', "the agent's background shells when it exits: stop (default) or keep")
    .addOption(
      new Option(
        '--emergency',
        'for an agent that died without a document: start a successor from what Baton knows',
      ).conflicts(['review', 'background']),
    )
    .option('--watch', 'follow the handoff until it ends')
    .action((agent: number, wanted: HandoffParams) =>
      run(async (cli) => (await import('./hand-off.ts')).handOff(cli, agent, wanted)),
    );
  addRunVerbs({ program: handoff, run });
  addRecordVerbs({ program: handoff, run }, { show: 'show-record', resume: 'resume-record' });
  addAcknowledge(kit);
}

function addAcknowledge({ program, run }: Kit): void {
  define(program, 'ack', {
    summary: 'acknowledge a handoff (the successor runs this in its session)',
    example: 'baton ack 1 --proof TOKEN --task "what I am going to do"',
  })
    .argument('<run>', 'the handoff', idNumber)
    .requiredOption('--proof <token>', "the token in the document's last line")
    .requiredOption('--task <text>', 'what you are going to do, in your own words')
    .action((id: number, { proof, task }: { proof: string; task: string }) =>
      run(async (cli) => (await import('./acknowledge.ts')).acknowledge(cli, id, { proof, task })),
    );
}

/** Refuses `baton handoff --review list`, because the subcommand would silently ignore the option before it. */
function refuseMisplacedOptions(handoff: Command, verb: Command): void {
  const { json: _, ...given } = handoff.opts();
  const [name] = Object.keys(given);
  if (name !== undefined)
    handoff.error(`error: option '--${name}' is not for '${verb.name()}'; put the options of a command after its name`);
}

/** Parses the agent's number. Reports a lower-case word as an unknown command, because agents are numbers. */
function agentNumber(handoff: Command, text: string): number {
  if (/^[a-z]+(-[a-z]+)*$/.test(text)) refuseUnknownCommand(handoff, text);
  return idNumber(text);
}

/** Reports an unknown command. A copy of the commands parses the word, so that the error has "Did you mean". */
function refuseUnknownCommand(handoff: Command, word: string): void {
  const verbs = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  for (const each of handoff.createHelp().visibleCommands(handoff)) verbs.command(each.name());
  try {
    verbs.parse([word], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    handoff.error(`${error.message}\nName an agent by its number; see: baton agent list`, error);
  }
}
