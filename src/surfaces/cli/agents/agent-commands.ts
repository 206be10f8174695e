import { type Command, InvalidArgumentError } from 'commander';
import { type ListPage, withPage } from '../client/list-page.ts';
import { namedAgent } from '../client/named-agent.ts';
import {
  agentName,
  agentNames,
  define,
  group,
  idNumber,
  type Kit,
  personaName,
  refuseBoth,
  wholeNumber,
} from '../command-kit.ts';
import type { AnswerOptions } from '../messages/answer-question.ts';
import type { AdoptParams } from '../sessions/adopt-session.ts';
import type { EnvironmentRequest } from './agent-environment.ts';
import type { MuteOptions } from './mute-agent.ts';
import type { ContinueOptions } from './resume-agent.ts';
import type { AgentToStart } from './start-agent.ts';
import type { StopOptions } from './stop-agent.ts';

const AGENT = 'its number, or the name of its persona';

export function addAgentCommands(kit: Kit): void {
  const agents = group(kit.program, 'agent', 'coding agents, each in its own tmux pane');
  addStart(agents, kit);
  addLooking(agents, kit);
  addShortcuts(kit);
  addStop(agents, kit);
  define(agents, 'give-persona', {
    summary: 'give an agent a persona (it keeps what it knows from a previous one)',
    example: 'baton agent give-persona 3 developer-con-1 --replace',
  })
    .argument('<agent>', AGENT, agentName)
    .argument('<persona>', 'the slug or name of the persona', personaName)
    .option('--replace', 'replace the persona that it has')
    .action((agent: string, slug: string, { replace = false }: { replace?: boolean }) =>
      kit.run(async (cli) =>
        (await import('../personas/persona-details.ts')).givePersona(cli, await namedAgent(cli, agent), {
          slug,
          replace,
        }),
      ),
    );
  addAdoption(agents, kit);
  addReturn(agents, kit);
  addAnswer(agents, kit);
  addMute(agents, kit);
  addEnvironment(agents, kit);
  define(agents, 'send', {
    summary: 'send a prompt to an idle agent and wait until its model has received it',
    example: 'baton agent send 3 "Do the next step of PLAN.md."',
  })
    .argument('<agent>', AGENT, agentName)
    .argument('<text...>', 'the prompt, typed exactly as given; - reads standard input')
    .addHelpText(
      'after',
      '\nExit code: 0 the model received the prompt; 1 refused, nothing was typed; 4 unconfirmed: it may have arrived, check before you send it again.',
    )
    .action((agent: string, words: string[]) =>
      kit.run(async (cli) =>
        (await import('../messages/send-message.ts')).sendMessage(cli, await namedAgent(cli, agent), words),
      ),
    );
}

function addStart(agents: Command, { run }: Kit): void {
  refuseBoth(
    define(agents, 'start', {
      summary: 'start an agent and wait until it is ready',
      example: 'baton agent start --persona Con --prompt "Do the next step of PLAN.md."',
    }),
    'persona',
  )
    .option('--project <path-or-id>', 'the project folder or id; a new folder is added as a project', '.')
    .option(
      '--persona <name>',
      "the persona's slug or name (default: the project's default persona, else the persona last used in the project)",
      personaName,
    )
    .option('--no-persona', 'start without a persona (no handoffs)')
    .option(
      '--runtime <name>',
      'the agent type (default: the list of the persona or project, else the setting default_runtime); see: baton agent runtimes',
    )
    .option(
      '--model <name>',
      'the model, by the name that the agent type uses; successors of the same agent type use the same model',
    )
    .option(
      '--worktree [name]',
      'start in a new git worktree (branch baton/NAME, from the last commit); successors inherit it',
    )
    .option('--prompt <text>', 'send this prompt when the agent is ready; - reads standard input')
    .option('--count <n>', 'start several agents, at most 20', count)
    .option('--no-wait', 'return immediately')
    .argument(
      '[args...]',
      'arguments after -- that Baton passes to the client unchanged, also for successors of the same agent type',
    )
    .addHelpText(
      'after',
      '\nExit code with --prompt: 0 the model received the prompt; 1 not sent; 4 unconfirmed: it may have arrived.',
    )
    .action((args: string[], wanted: AgentToStart) =>
      run(async (cli) => (await import('./start-agent.ts')).startAgents(cli, { ...wanted, args })),
    );
}

const MAX_COUNT = 20;

function count(text: string): number {
  const number = idNumber(text);
  if (number > MAX_COUNT) throw new InvalidArgumentError(`Use a number of at most ${MAX_COUNT}.`);
  return number;
}

function addReturn(agents: Command, { run }: Kit): void {
  define(agents, 'resume', {
    summary: 'continue the conversation of an ended agent in a new agent',
    example: 'baton agent resume 3',
  })
    .argument('<agent>', 'the number of the ended agent', agentName)
    .option('--anyway', 'even if a successor has taken over')
    .option('--no-wait', 'return immediately')
    .action((agent: string, wanted: { anyway?: boolean; wait: boolean }) =>
      run(async (cli) => (await import('./resume-agent.ts')).resumeAgent(cli, await namedAgent(cli, agent), wanted)),
    );
  define(agents, 'continue', {
    summary: 'ask an agent to continue: now after an outage, or once its usage limit is over',
    example: 'baton agent continue 14 --after-limit',
  })
    .argument('<agent>', 'a restored agent that was cut off in its work, or an agent under a usage limit', agentName)
    .option('--after-limit', 'ask it once, when its usage limit is over (off by default)')
    .option('--not-after-limit', 'do not ask it when its usage limit is over')
    .action((agent: string, wanted: ContinueOptions) =>
      run(async (cli) => (await import('./resume-agent.ts')).continueAgent(cli, await namedAgent(cli, agent), wanted)),
    );
  define(agents, 'restore', {
    summary: 'restore all agents that were lost with the tmux server or the machine, one by one',
    example: 'baton agent restore --dry-run',
  })
    .option('--dry-run', 'only list them')
    .action(({ dryRun = false }: { dryRun?: boolean }) =>
      run(async (cli) => (await import('./restore-agents.ts')).restoreAgents(cli, dryRun)),
    );
}

function addLooking(agents: Command, { run }: Kit): void {
  withPage(define(agents, 'list', { summary: 'list the running agents', example: 'baton agent list --all' }))
    .option('-a, --all', 'include ended agents, as --limit and --before do')
    .action((wanted: { all?: boolean } & ListPage) =>
      run(async (cli) => (await import('./agents.ts')).listAgents(cli, wanted)),
    );
  define(agents, 'runtimes', {
    summary: 'list the agent types, and why one cannot start here',
    example: 'baton agent runtimes',
  }).action(() => run(async (cli) => (await import('./runtimes.ts')).listRuntimes(cli)));
  define(agents, 'show', { summary: 'show one agent', example: 'baton agent show 3' })
    .argument('<agent>', AGENT, agentName)
    .action((agent: string) =>
      run(async (cli) => (await import('./agents.ts')).showAgent(cli, await namedAgent(cli, agent))),
    );
  define(agents, 'why', { summary: 'show the facts behind the state of an agent', example: 'baton agent why 3' })
    .argument('<agent>', AGENT, agentName)
    .action((agent: string) =>
      run(async (cli) => (await import('./why-agent.ts')).whyAgent(cli, await namedAgent(cli, agent))),
    );
  define(agents, 'screen', {
    summary: 'print the terminal screen of an agent',
    example: 'baton agent screen 3 --follow',
  })
    .argument('<agent>', AGENT, agentName)
    .option('--follow', 'print it again whenever it changes')
    .action((agent: string, { follow = false }: { follow?: boolean }) =>
      run(async (cli) => (await import('./show-screen.ts')).showScreen(cli, await namedAgent(cli, agent), follow)),
    );
  addAttach(agents, { run }, false);
}

/**
 * Adds short forms of `baton agent` commands: `baton ps`, `baton ls` and `baton attach`. Help does not list `baton
 * attach`.
 */
function addShortcuts({ program, run }: Kit): void {
  define(program, 'ps', { summary: 'list the running agents and what each needs from you', example: 'baton ps' })
    .alias('ls')
    .action(() => run(async (cli) => (await import('./agents.ts')).showProcesses(cli)));
  addAttach(program, { run }, true);
}

function addAttach(parent: Command, { run }: Pick<Kit, 'run'>, hidden: boolean): void {
  define(parent, 'attach', {
    summary: "attach this terminal to the agent's terminal",
    example: 'baton agent attach 3 --read-only',
    hidden,
  })
    .argument('<agent>', AGENT, agentName)
    .option('--read-only', 'view only; you cannot type')
    .action((agent: string, { readOnly = false }: { readOnly?: boolean }) =>
      run(async (cli) => (await import('./attach-agent.ts')).attachAgent(cli, await namedAgent(cli, agent), readOnly)),
    );
}

function addAdoption(agents: Command, { run }: Kit): void {
  refuseBoth(
    define(agents, 'adopt', {
      summary: 'adopt a session that you started in your own tmux',
      example: 'baton agent adopt 0b1f5a62 --persona developer-con-1',
    }),
    'persona',
  )
    .argument('<session>', "the session's id or the first characters of the id; see: baton hooks status")
    .option(
      '--persona <name>',
      "the persona's slug or name (default: the default persona of the session's project)",
      personaName,
    )
    .option('--no-persona', 'adopt without a persona (no handoffs)')
    .option('--yes', 'skip confirmation')
    .action((session: string, wanted: AdoptParams) =>
      run(async (cli) => (await import('../sessions/adopt-session.ts')).adoptSession(cli, session, wanted)),
    );
  define(agents, 'release', {
    summary: 'release an adopted session: it keeps running, and Baton leaves it alone',
    example: 'baton agent release 3',
  })
    .argument('<agent>', AGENT, agentName)
    .action((agent: string) =>
      run(async (cli) =>
        (await import('../sessions/adopt-session.ts')).releaseAgent(cli, await namedAgent(cli, agent)),
      ),
    );
}

function addAnswer(agents: Command, { run }: Kit): void {
  define(agents, 'answer', {
    summary: 'answer the question of an agent; without an answer, show the question',
    example: 'baton agent answer 3 --choice 1',
  })
    .argument('<agent>', AGENT, agentName)
    .option('--choice <number>', 'the number of the option', wholeNumber)
    .option('--text <text>', 'an answer in your own words, if the question allows it')
    .option('--question <id>', 'answer only if this question is still open; its id is shown with the question')
    .addHelpText(
      'after',
      '\nExit code: 0 the agent has the answer; 1 refused, nothing was pressed; 4 unconfirmed: check before you answer again.',
    )
    .action((agent: string, wanted: AnswerOptions) =>
      run(async (cli) =>
        (await import('../messages/answer-question.ts')).answerQuestion(cli, await namedAgent(cli, agent), wanted),
      ),
    );
}

function addMute(agents: Command, { run }: Kit): void {
  define(agents, 'mute', {
    summary: 'mute notifications for an agent (failures are still sent; the inbox still shows all)',
    example: 'baton agent mute 3 --until 18:00',
  })
    .argument('<agent>', AGENT, agentName)
    .option(
      '--until <time>',
      'a time of day such as 18:00, a duration such as 30m or 2h, or a date such as 2026-11-15T18:00',
    )
    .option('--off', 'unmute the agent')
    .action((agent: string, wanted: MuteOptions) =>
      run(async (cli) => (await import('./mute-agent.ts')).muteAgent(cli, await namedAgent(cli, agent), wanted)),
    );
}

function addEnvironment(agents: Command, { run }: Kit): void {
  define(agents, 'env', {
    summary: 'show the environment variables of a new agent and their sources (secrets are masked)',
    example: 'baton agent env --project . --refresh',
  })
    .argument('[agent]', `in the project of this agent (${AGENT})`, agentName)
    .option('--project <path-name-or-id>', 'in this project')
    .option('--refresh', 'read your login shell again first')
    .action((name: string | undefined, wanted: EnvironmentRequest) =>
      run(async (cli) => {
        const agent = name === undefined ? undefined : await namedAgent(cli, name);
        return (await import('./agent-environment.ts')).showEnvironment(cli, { ...wanted, agent });
      }),
    );
}

function addStop(agents: Command, { run }: Kit): void {
  define(agents, 'stop', { summary: 'stop one or several agents', example: 'baton agent stop 2 3' })
    .argument('[agents...]', AGENT, agentNames)
    .option('--all', 'stop all running agents')
    .option('--force', 'kill them immediately instead of asking them to exit')
    .option('--yes', 'skip confirmation')
    .action((names: string[], wanted: StopOptions) =>
      run(async (cli) => (await import('./stop-agent.ts')).stopAgents(cli, names, wanted)),
    );
  define(agents, 'interrupt', {
    summary: 'interrupt a working agent (presses Escape once)',
    example: 'baton agent interrupt 3',
  })
    .argument('<agent>', AGENT, agentName)
    .action((agent: string) =>
      run(async (cli) => (await import('./stop-agent.ts')).interruptAgent(cli, await namedAgent(cli, agent))),
    );
}
