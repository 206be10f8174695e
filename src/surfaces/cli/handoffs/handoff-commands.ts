import { Command, CommanderError, Option } from 'commander';
import type { Cli } from '../cli.ts';
import { CliFault } from '../cli-fault.ts';
import { namedAgent } from '../client/named-agent.ts';
import { agentName, define, idNumber, type Kit } from '../command-kit.ts';
import type { HandoffParams } from './hand-off.ts';
import { addRecordVerbs, addRunVerbs, REASONS } from './handoff-verbs.ts';

export function addHandoffCommands(kit: Kit): void {
  const { program, run } = kit;
  const handoff = define(program, 'handoff', {
    summary: 'hand off an agent to a successor; list, show and manage handoffs',
    example: 'baton handoff 3 --reason context_limit --watch\n  $ baton handoff list',
  })
    .usage('[options] <agent>\n       baton handoff --self --reason <text>\n       baton handoff <command>')
    // Assign an option after a subcommand to this subcommand, because both `handoff` and `handoff show` have the option
    // --watch.
    .enablePositionalOptions()
    .helpCommand(true)
    .hook('preSubcommand', refuseMisplacedOptions);
  handoff
    .argument('[agent]', 'the agent that hands off: its number, or the name of its persona', agentName)
    // Accept any text for --reason here. The server checks the reason, and lists the valid reasons if it refuses.
    .option('--reason <reason>', REASONS)
    .option('--self', 'for agents: ask for your own handoff; --reason says why in your own words')
    .option('--note <text>', 'a note for both agents')
    .option('--review', 'wait for your approval of the document before the agent is asked to exit')
    .option('--background <mode>', "the agent's background shells when it exits: stop (default) or keep")
    .addOption(
      new Option(
        '--emergency',
        'for an agent that died without a document or is under a usage limit: start a successor from what Baton knows',
      ).conflicts(['review', 'background']),
    )
    .option('--runtime <name>', "the successor's agent type (default: the persona's list, else the same)")
    .option('--model <name>', "the successor's model; the same agent type inherits it")
    .option('--watch', 'follow the handoff until it ends')
    .action((agent: string | undefined, { self = false, ...wanted }: HandoffParams & { self?: boolean }) => {
      if (self && agent !== undefined)
        handoff.error("error: --self is for the agent that runs this command; omit the argument 'agent'");
      if (!self && agent === undefined)
        handoff.error("error: missing required argument 'agent'", { code: 'commander.missingArgument' });
      if (self) return run(async (cli) => (await import('./ask-self.ts')).askForHandoff(cli, wanted.reason));
      return run(async (cli) =>
        (await import('./hand-off.ts')).handOff(cli, await agentNumber(handoff, cli, agent ?? ''), wanted),
      );
    });
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

/**
 * Refuses `baton handoff --review list`, because the subcommand `list` would silently ignore an option that is given
 * before it.
 */
function refuseMisplacedOptions(handoff: Command, verb: Command): void {
  const { json: _, machine: __, ...given } = handoff.opts();
  const [name] = Object.keys(given);
  if (name !== undefined)
    handoff.error(`error: option '--${name}' is not for '${verb.name()}'; put the options of a command after its name`);
}

/**
 * Finds the agent by its number or its persona's name. A lower-case word that is neither is reported as an unknown
 * command, because it was probably meant as a subcommand.
 */
function agentNumber(handoff: Command, cli: Cli, agent: string): Promise<number> {
  return namedAgent(cli, agent).catch((error: unknown) => {
    const isUnknown = error instanceof CliFault && error.body.code === 'agent_not_found';
    if (isUnknown && /^[a-z]+(-[a-z]+)*$/.test(agent)) refuseUnknownCommand(handoff, agent);
    throw error;
  });
}

/**
 * Reports an unknown command. Lets Commander parse the word with a copy of the subcommands, so that the error includes
 * "Did you mean".
 */
function refuseUnknownCommand(handoff: Command, word: string): void {
  const verbs = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  for (const each of handoff.createHelp().visibleCommands(handoff)) verbs.command(each.name());
  try {
    verbs.parse([word], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    handoff.error(
      `${error.message}\nNo live agent is named ${word}. Name an agent by its number or its persona; see: baton agent list`,
      error,
    );
  }
}
