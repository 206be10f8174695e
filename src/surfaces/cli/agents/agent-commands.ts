import type { Command } from 'commander';
import { type ListPage, withPage } from '../client/list-page.ts';
import { define, group, idNumber, type Kit, personaSlug, wholeNumber } from '../command-kit.ts';
import type { AnswerOptions } from '../messages/answer-question.ts';
import type { AdoptParams } from '../sessions/adopt-session.ts';
import type { EnvironmentRequest } from './agent-environment.ts';
import type { MuteOptions } from './mute-agent.ts';
import type { AgentToStart } from './start-agent.ts';

export function addAgentCommands(kit: Kit): void {
  const agents = group(kit.program, 'agent', 'coding agents, each in its own tmux pane');
  addStart(agents, kit);
  addLooking(agents, kit);
  addStop(agents, kit);
  define(agents, 'give-persona', {
    summary: 'give an agent a persona (it keeps what it knows from a previous one)',
    example: 'baton agent give-persona 3 developer-con-1 --replace',
  })
    .argument('<id>', 'the agent', idNumber)
    .argument('<slug>', 'the persona', personaSlug)
    .option('--replace', 'replace the persona that it has')
    .action((id: number, slug: string, { replace = false }: { replace?: boolean }) =>
      kit.run(async (cli) => (await import('../personas/persona-details.ts')).givePersona(cli, id, { slug, replace })),
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
    .argument('<id>', 'the agent', idNumber)
    .argument('<text...>', 'the prompt, typed exactly as given; - reads standard input')
    .addHelpText(
      'after',
      '\nExit code: 0 the model received the prompt; 1 refused, nothing was typed; 4 unconfirmed: it may have arrived, check before you send it again.',
    )
    .action((id: number, words: string[]) =>
      kit.run(async (cli) => (await import('../messages/send-message.ts')).sendMessage(cli, id, words)),
    );
}

function addStart(agents: Command, { run }: Kit): void {
  define(agents, 'start', {
    summary: 'start an agent and wait until it is ready',
    example: 'baton agent start --project . --persona developer-con-1',
  })
    .option('--project <path-or-id>', 'the project folder or id; a new folder is added as a project', '.')
    .option('--persona <slug>', "the persona (default: the project's default persona, if it has one)")
    .option('--no-persona', 'start without a persona (no handoffs)')
    .option('--runtime <name>', 'the agent type; see: baton agent runtimes', 'practice')
    .option(
      '--worktree [name]',
      'start in a new git worktree (branch baton/NAME, from the last commit); successors inherit it',
    )
    .option('--no-wait', 'return immediately')
    .argument('[args...]', 'after --: passed to the client unchanged; successors get them, too')
    .action((args: string[], wanted: AgentToStart) =>
      run(async (cli) => (await import('./start-agent.ts')).startAgent(cli, { ...wanted, args })),
    );
}

function addReturn(agents: Command, { run }: Kit): void {
  define(agents, 'resume', {
    summary: 'continue the conversation of an ended agent in a new agent',
    example: 'baton agent resume 3',
  })
    .argument('<id>', 'the ended agent', idNumber)
    .option('--anyway', 'even if a successor has taken over')
    .option('--no-wait', 'return immediately')
    .action((id: number, wanted: { anyway?: boolean; wait: boolean }) =>
      run(async (cli) => (await import('./resume-agent.ts')).resumeAgent(cli, id, wanted)),
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
    .option('--all', 'include ended agents')
    .action((wanted: { all?: boolean } & ListPage) =>
      run(async (cli) => (await import('./agents.ts')).listAgents(cli, wanted)),
    );
  define(agents, 'runtimes', {
    summary: 'list the agent types, and why one cannot start here',
    example: 'baton agent runtimes',
  }).action(() => run(async (cli) => (await import('./runtimes.ts')).listRuntimes(cli)));
  define(agents, 'show', { summary: 'show one agent', example: 'baton agent show 3' })
    .argument('<id>', 'the agent', idNumber)
    .action((id: number) => run(async (cli) => (await import('./agents.ts')).showAgent(cli, id)));
  define(agents, 'why', { summary: 'show the facts behind the state of an agent', example: 'baton agent why 3' })
    .argument('<id>', 'the agent', idNumber)
    .action((id: number) => run(async (cli) => (await import('./why-agent.ts')).whyAgent(cli, id)));
  define(agents, 'screen', {
    summary: 'print the terminal screen of an agent',
    example: 'baton agent screen 3 --follow',
  })
    .argument('<id>', 'the agent', idNumber)
    .option('--follow', 'print it again whenever it changes')
    .action((id: number, { follow = false }: { follow?: boolean }) =>
      run(async (cli) => (await import('./show-screen.ts')).showScreen(cli, id, follow)),
    );
  define(agents, 'attach', {
    summary: "attach this terminal to the agent's terminal",
    example: 'baton agent attach 3 --read-only',
  })
    .argument('<id>', 'the agent', idNumber)
    .option('--read-only', 'view only; you cannot type')
    .action((id: number, { readOnly = false }: { readOnly?: boolean }) =>
      run(async (cli) => (await import('./attach-agent.ts')).attachAgent(cli, id, readOnly)),
    );
}

function addAdoption(agents: Command, { run }: Kit): void {
  define(agents, 'adopt', {
    summary: 'adopt a session that you started in your own tmux',
    example: 'baton agent adopt 0b1f5a62 --persona developer-con-1',
  })
    .argument('<session>', 'its id or the start of it; see: baton hooks status')
    .option('--persona <slug>', 'the persona (default: the default persona of its project, if it has one)')
    .option('--no-persona', 'adopt without a persona (no handoffs)')
    .option('--yes', 'skip confirmation')
    .action((session: string, wanted: AdoptParams) =>
      run(async (cli) => (await import('../sessions/adopt-session.ts')).adoptSession(cli, session, wanted)),
    );
  define(agents, 'release', {
    summary: 'release an adopted session: it keeps running, and Baton leaves it alone',
    example: 'baton agent release 3',
  })
    .argument('<id>', 'the agent', idNumber)
    .action((id: number) => run(async (cli) => (await import('../sessions/adopt-session.ts')).releaseAgent(cli, id)));
}

function addAnswer(agents: Command, { run }: Kit): void {
  define(agents, 'answer', {
    summary: 'answer the question of an agent; without an answer, show the question',
    example: 'baton agent answer 3 --choice 1',
  })
    .argument('<id>', 'the agent', idNumber)
    .option('--choice <number>', 'the number of the option', wholeNumber)
    .option('--text <text>', 'an answer in your own words, if the question allows it')
    .option('--question <id>', 'answer only if this question is still open; its id is shown with the question')
    .addHelpText(
      'after',
      '\nExit code: 0 the agent has the answer; 1 refused, nothing was pressed; 4 unconfirmed: check before you answer again.',
    )
    .action((id: number, wanted: AnswerOptions) =>
      run(async (cli) => (await import('../messages/answer-question.ts')).answerQuestion(cli, id, wanted)),
    );
}

function addMute(agents: Command, { run }: Kit): void {
  define(agents, 'mute', {
    summary: 'mute notifications for an agent (failures are still sent; the inbox still shows all)',
    example: 'baton agent mute 3 --until 18:00',
  })
    .argument('<id>', 'the agent', idNumber)
    .option(
      '--until <time>',
      'a time of day such as 18:00, a duration such as 30m or 2h, or a date such as 2026-11-15T18:00',
    )
    .option('--off', 'unmute the agent')
    .action((id: number, wanted: MuteOptions) =>
      run(async (cli) => (await import('./mute-agent.ts')).muteAgent(cli, id, wanted)),
    );
}

function addEnvironment(agents: Command, { run }: Kit): void {
  define(agents, 'env', {
    summary: 'show the environment variables of a new agent and their sources (secrets are masked)',
    example: 'baton agent env --project . --refresh',
  })
    .argument('[id]', 'in the project of this agent', idNumber)
    .option('--project <path-name-or-id>', 'in this project')
    .option('--refresh', 'read your login shell again first')
    .action((agent: number | undefined, wanted: EnvironmentRequest) =>
      run(async (cli) => (await import('./agent-environment.ts')).showEnvironment(cli, { ...wanted, agent })),
    );
}

function addStop(agents: Command, { run }: Kit): void {
  define(agents, 'stop', { summary: 'stop an agent', example: 'baton agent stop 3' })
    .argument('<id>', 'the agent', idNumber)
    .option('--force', 'kill it immediately instead of asking it to exit')
    .option('--yes', 'skip confirmation')
    .action((id: number, { force = false, yes = false }: { force?: boolean; yes?: boolean }) =>
      run(async (cli) => (await import('./stop-agent.ts')).stopAgent(cli, id, { force, yes })),
    );
}
