import type { Command } from 'commander';
import { define, group, idNumber, type Kit, personaSlug, wholeNumber } from '../command-kit.ts';
import type { AnswerOptions } from '../messages/answer-question.ts';
import type { AdoptParams } from '../sessions/adopt-session.ts';
import type { EnvironmentRequest } from './agent-environment.ts';
import type { MuteOptions } from './mute-agent.ts';
import type { AgentToStart } from './start-agent.ts';

export function addAgentCommands(kit: Kit): void {
  const agents = group(kit.program, 'agent', 'coding agents, each in a tmux pane of its own');
  addStart(agents, kit);
  addLooking(agents, kit);
  addStop(agents, kit);
  define(agents, 'give-persona', {
    summary: 'give a persona to an agent; what it has heard as another one it keeps in mind',
    example: 'baton agent give-persona 3 developer-con-1 --replace',
  })
    .argument('<id>', 'the agent', idNumber)
    .argument('<slug>', 'the persona', personaSlug)
    .option('--replace', 'also in place of the persona that it has')
    .action((id: number, slug: string, { replace = false }: { replace?: boolean }) =>
      kit.run(async (cli) => (await import('../personas/persona-details.ts')).givePersona(cli, id, { slug, replace })),
    );
  addAdoption(agents, kit);
  addReturn(agents, kit);
  addAnswer(agents, kit);
  addMute(agents, kit);
  addEnvironment(agents, kit);
  define(agents, 'send', {
    summary: 'type a prompt to an agent that is waiting for one, and wait for the receipt that its model has it',
    example: 'baton agent send 3 "Do the next step of PLAN.md."',
  })
    .argument('<id>', 'the agent', idNumber)
    .argument('<text...>', 'the prompt, typed exactly as given; - reads it from standard input')
    .addHelpText(
      'after',
      '\nExit code: 0 its model has the prompt; 1 refused, nothing was typed; 4 unconfirmed: it may have arrived, look before you send it again.',
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
    .option('--project <path-or-id>', 'where it works; a folder that is not known yet is added', '.')
    .option('--persona <slug>', "who it is; without one the project's default, if it has one")
    .option('--no-persona', 'nobody: it is anonymous and cannot hand off')
    .option('--runtime <name>', 'which kind of agent', 'practice')
    .option(
      '--worktree [name]',
      'in a git worktree of its own (branch baton/NAME, from the last commit on), which its successors inherit',
    )
    .option('--no-wait', 'return at once')
    .argument('[args...]', 'after --: for the client itself, as they are; its successors get them too')
    .action((args: string[], wanted: AgentToStart) =>
      run(async (cli) => (await import('./start-agent.ts')).startAgent(cli, { ...wanted, args })),
    );
}

function addReturn(agents: Command, { run }: Kit): void {
  define(agents, 'resume', {
    summary: 'go on with the conversation of an agent that has ended, in a new agent',
    example: 'baton agent resume 3',
  })
    .argument('<id>', 'the agent that has ended', idNumber)
    .option('--anyway', 'although a successor has taken over')
    .option('--no-wait', 'return at once')
    .action((id: number, wanted: { anyway?: boolean; wait: boolean }) =>
      run(async (cli) => (await import('./resume-agent.ts')).resumeAgent(cli, id, wanted)),
    );
  define(agents, 'restore', {
    summary: 'bring back all agents that were lost with the tmux server or the machine, one after another',
    example: 'baton agent restore --dry-run',
  })
    .option('--dry-run', 'only show which')
    .action(({ dryRun = false }: { dryRun?: boolean }) =>
      run(async (cli) => (await import('./restore-agents.ts')).restoreAgents(cli, dryRun)),
    );
}

function addLooking(agents: Command, { run }: Kit): void {
  define(agents, 'list', { summary: 'list the agents that run', example: 'baton agent list --all' })
    .option('--all', 'also those that ended')
    .action(({ all = false }: { all?: boolean }) =>
      run(async (cli) => (await import('./agents.ts')).listAgents(cli, all)),
    );
  define(agents, 'runtimes', {
    summary: 'list the kinds of agents, and why one cannot be started here',
    example: 'baton agent runtimes',
  }).action(() => run(async (cli) => (await import('./runtimes.ts')).listRuntimes(cli)));
  define(agents, 'show', { summary: 'show all about one agent', example: 'baton agent show 3' })
    .argument('<id>', 'the agent', idNumber)
    .action((id: number) => run(async (cli) => (await import('./agents.ts')).showAgent(cli, id)));
  define(agents, 'why', { summary: 'show the facts behind its state', example: 'baton agent why 3' })
    .argument('<id>', 'the agent', idNumber)
    .action((id: number) => run(async (cli) => (await import('./why-agent.ts')).whyAgent(cli, id)));
  define(agents, 'screen', { summary: 'print what its terminal shows', example: 'baton agent screen 3 --follow' })
    .argument('<id>', 'the agent', idNumber)
    .option('--follow', 'print it again whenever it has changed')
    .action((id: number, { follow = false }: { follow?: boolean }) =>
      run(async (cli) => (await import('./show-screen.ts')).showScreen(cli, id, follow)),
    );
  define(agents, 'attach', {
    summary: "attach this terminal to the agent's own",
    example: 'baton agent attach 3 --read-only',
  })
    .argument('<id>', 'the agent', idNumber)
    .option('--read-only', 'look without being able to type')
    .action((id: number, { readOnly = false }: { readOnly?: boolean }) =>
      run(async (cli) => (await import('./attach-agent.ts')).attachAgent(cli, id, readOnly)),
    );
}

function addAdoption(agents: Command, { run }: Kit): void {
  define(agents, 'adopt', {
    summary: 'make a session that you started yourself, in your own tmux, an agent of Baton',
    example: 'baton agent adopt 0b1f5a62 --persona developer-con-1',
  })
    .argument('<session>', 'its id or the beginning of it, as shown by: baton hooks status')
    .option('--persona <slug>', 'who it is; without one the default of the project in its folder, if it has one')
    .option('--no-persona', 'nobody: it is anonymous and cannot hand off')
    .option('--yes', 'do not ask back')
    .action((session: string, wanted: AdoptParams) =>
      run(async (cli) => (await import('../sessions/adopt-session.ts')).adoptSession(cli, session, wanted)),
    );
  define(agents, 'release', {
    summary: 'give an adopted session back to yourself: it goes on, and Baton has nothing more to do with it',
    example: 'baton agent release 3',
  })
    .argument('<id>', 'the agent', idNumber)
    .action((id: number) => run(async (cli) => (await import('../sessions/adopt-session.ts')).releaseAgent(cli, id)));
}

function addAnswer(agents: Command, { run }: Kit): void {
  define(agents, 'answer', {
    summary: 'answer what an agent asks; without an answer, show what it asks',
    example: 'baton agent answer 3 --choice 1',
  })
    .argument('<id>', 'the agent', idNumber)
    .option('--choice <number>', 'the number of the option', wholeNumber)
    .option('--text <text>', 'in your own words, where the question takes them')
    .option('--question <id>', 'only if it still is this one; its id is shown with it')
    .addHelpText(
      'after',
      '\nExit code: 0 it has the answer; 1 refused, nothing was pressed; 4 unconfirmed: look before you answer again.',
    )
    .action((id: number, wanted: AnswerOptions) =>
      run(async (cli) => (await import('../messages/answer-question.ts')).answerQuestion(cli, id, wanted)),
    );
}

function addMute(agents: Command, { run }: Kit): void {
  define(agents, 'mute', {
    summary: 'tell nothing but failures of an agent outside of Baton; the inbox still has all of it',
    example: 'baton agent mute 3 --until 18:00',
  })
    .argument('<id>', 'the agent', idNumber)
    .option(
      '--until <time>',
      'a time of day such as 18:00, how long such as 30m or 2h, or a date such as 2026-11-15T18:00',
    )
    .option('--off', 'tell everything of it again')
    .action((id: number, wanted: MuteOptions) =>
      run(async (cli) => (await import('./mute-agent.ts')).muteAgent(cli, id, wanted)),
    );
}

function addEnvironment(agents: Command, { run }: Kit): void {
  define(agents, 'env', {
    summary: 'show the variables that an agent would be started with, and where each comes from; secrets are masked',
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
  define(agents, 'stop', { summary: 'ask an agent to leave', example: 'baton agent stop 3' })
    .argument('<id>', 'the agent', idNumber)
    .option('--force', 'end it at once instead of asking it')
    .option('--yes', 'do not ask back')
    .action((id: number, { force = false, yes = false }: { force?: boolean; yes?: boolean }) =>
      run(async (cli) => (await import('./stop-agent.ts')).stopAgent(cli, id, { force, yes })),
    );
}
