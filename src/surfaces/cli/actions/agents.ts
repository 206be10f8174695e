import type { Agent } from '../../../contract/resources.ts';
import type { Cli } from '../cli.ts';
import { getAgent, getAgents } from '../client/look-up.ts';
import { operatorClient } from '../client/operator-client.ts';
import { contextBar } from '../output/context-bar.ts';
import { type Colour, ink, type Part } from '../output/ink.ts';
import { table } from '../output/table.ts';
import { isOver } from '../watch/await-agent.ts';
import { showAnswer } from './show-answer.ts';

const HEADINGS = ['id', 'label', 'persona', 'state', '>context', 'project', 'runtime'];

export async function listAgents(cli: Cli, all: boolean): Promise<number> {
  const answer = await getAgents(operatorClient(cli.deps));
  const shown = answer.data.filter((agent) => all || !isOver(agent));
  const ids = new Set(shown.map(({ id }) => id));
  // The server sends all of them; as JSON, too, the list must hold what was asked for.
  const body = { agents: (answer.body as { agents: { id: number }[] }).agents.filter(({ id }) => ids.has(id)) };
  return showAnswer(cli, { body, data: shown }, (agents) =>
    agents.length === 0 ? [[nobody(all)]] : table(HEADINGS, agents.map(row)),
  );
}

const nobody = (all: boolean): string =>
  all ? 'No agents yet. Start one: baton agent start' : 'No agent is running. Those that ended: baton agent list --all';

function row(agent: Agent): Part[] {
  return [
    String(agent.id),
    agent.label,
    agent.persona?.slug ?? '-',
    ink(colourOf(agent), agent.state),
    agent.context === null ? '-' : `${Math.round(agent.context.used_percent)} %`,
    agent.project.name,
    agent.runtime,
  ];
}

export async function showAgent(cli: Cli, id: number): Promise<number> {
  const answer = await getAgent(operatorClient(cli.deps), id);
  return showAnswer(cli, answer, (agent) => [
    [ink('bold', `${agent.label} (agent ${agent.id})`)],
    ...table([], details(agent)).map((line) => ['  ', ...line]),
  ]);
}

function details(agent: Agent): Part[][] {
  const { persona, project, tmux, context } = agent;
  return [
    ['state', ink(colourOf(agent), `${agent.state}: ${agent.state_reason}`)],
    ['context', context === null ? 'not measured yet' : contextBar(context.used_percent)],
    ['persona', persona === null ? 'none' : `${persona.slug} (${persona.role})`],
    ['skill', agent.skill_injected_at === null ? 'not taken in' : `taken in at ${agent.skill_injected_at}`],
    ['project', `${project.name} in ${project.path}`],
    ['runtime', agent.runtime],
    ['session', agent.session_uuid],
    ['tmux', `${tmux.session} ${tmux.pane ?? '(no pane)'} on ${tmux.socket}`],
    ...(agent.previous_agent_id === null ? [] : [['predecessor', `agent ${agent.previous_agent_id}`]]),
    ...(agent.run_id === null ? [] : [['handoff', `run ${agent.run_id} is under way`]]),
    ['started', agent.started_at],
    ...(agent.ended_at === null ? [] : [['ended', agent.ended_at]]),
  ];
}

function colourOf({ state }: Agent): Colour {
  if (state === 'idle') return 'green';
  if (state === 'working' || state === 'starting') return 'cyan';
  return state === 'ended' ? 'dim' : 'yellow';
}
