import type { Command } from 'commander';
import { shellWord } from '../../contract/words/shell-quote.ts';
import type { CliDeps } from './cli-deps.ts';
import { CliFault } from './cli-fault.ts';

/** Commands that need an agent's token or no token at all. All other commands are only for the operator. */
const FOR_AGENTS: ReadonlySet<string> = new Set([
  'ack',
  'complete',
  'completion',
  'demo',
  'lint',
  'mcp',
  'version',
  'workflow show',
  'workflow check',
  ...[
    'new',
    'create',
    'lint',
    'seal',
    'schema',
    'list',
    'inbox',
    'agents',
    'show',
    'report',
    'chain',
    'receive',
    'ack',
    'ask',
    'decline',
  ]
    .concat(['answer', 'complete', 'return', 'progress', 'cancel', 'fail'])
    .map((verb) => `package ${verb}`),
]);

/** Throws CliFault if this shell belongs to an agent and the command is not for agents. */
export function refuseInAgentsShell(deps: CliDeps, command: Command, argv: readonly string[]): void {
  const name = nameOf(command);
  // Allow `baton handoff --self`, by which an agent asks for its own handoff with its own token.
  if (name === 'handoff' && command.opts<{ self?: boolean }>().self === true) return;
  if (!FOR_AGENTS.has(name)) refuseAgent(deps, `run \`baton ${name}\``, `baton ${argv.map(shellWord).join(' ')}`);
}

/**
 * Throws CliFault if this shell belongs to an agent or runs in Baton's tmux server. Also throws if the environment
 * names an agent but contains no token.
 */
export function refuseAgent({ shell }: Pick<CliDeps, 'shell'>, what = 'do this', instead?: string): void {
  const { agent, isInTmux, isTokenless } = shell();
  if (isTokenless && !isInTmux)
    throw new CliFault(
      'BATON_AGENT_ID names an agent, but BATON_AGENT_TOKEN is not set, so baton acts neither as the agent nor as the operator. Run the command in a shell that does not belong to an agent.',
      { code: 'forbidden' },
    );
  if (agent === undefined && !isInTmux) return;
  if (agent === undefined)
    throw new CliFault(
      `This shell runs in Baton's tmux server, where agents run, so a command given here does not have the operator's rights. Run ${instead === undefined ? 'the same command in a shell of your own.' : `in a shell of your own: ${instead}`}`,
      { code: 'forbidden' },
    );
  const [who, as] = agent.id === null ? ['an agent', 'that agent'] : [`agent ${agent.id}`, `agent ${agent.id}`];
  throw new CliFault(
    `This shell belongs to ${who}, so baton acts as ${as}; agents cannot ${what}. Ask the operator to run${instead === undefined ? ' the same command in a shell of their own.' : `: ${instead}`}`,
    { code: 'forbidden' },
  );
}

/** Returns the words of a command after `baton`, such as `agent stop`. */
export function nameOf(command: Command): string {
  const names: string[] = [];
  for (let each: Command | null = command; each?.parent; each = each.parent) names.unshift(each.name());
  return names.join(' ');
}
