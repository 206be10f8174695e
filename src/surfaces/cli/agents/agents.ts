import type { Agent } from '../../../contract/resources.ts';
import type { Cli } from '../cli.ts';
import { type ListPage, olderLine } from '../client/list-page.ts';
import { getAgent, getAgents } from '../client/look-up.ts';
import { operatorClient } from '../client/operator-client.ts';
import { showAnswer } from '../messages/show-answer.ts';
import { contextBar, contextShare } from '../output/context-bar.ts';
import { type Colour, ink, type Part } from '../output/ink.ts';
import { table } from '../output/table.ts';

const HEADINGS = ['id', 'label', 'persona', 'state', '>context', 'project', 'runtime'];

/** Lists the running agents, or with `all` or a page also the ended ones. */
export async function listAgents(cli: Cli, { all = false, ...page }: { all?: boolean } & ListPage): Promise<number> {
  const live = !all && page.limit === undefined && page.before === undefined;
  const answer = await getAgents(operatorClient(cli.deps), { live, page });
  return showAnswer(cli, answer, ({ agents, next }) =>
    agents.length === 0 ? [[noAgents(!live)]] : [...table(HEADINGS, agents.map(row)), ...olderLine(next)],
  );
}

const noAgents = (all: boolean): string =>
  all
    ? 'No agents yet. Start one: baton agent start'
    : 'No agent is running. List ended agents: baton agent list --all';

function row(agent: Agent): Part[] {
  return [
    String(agent.id),
    agent.label,
    agent.persona?.slug ?? '-',
    ink(colourOf(agent), agent.state),
    agent.context === null ? '-' : contextShare(agent.context),
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
    ...(agent.activity === null ? [] : [['activity', agent.activity]]),
    ...agent.background.map(({ kind, what }) => ['background', `${kind}: ${what}`]),
    ['context', context === null ? 'not measured yet' : contextBar(context)],
    ['persona', persona === null ? 'none' : `${persona.slug} (${persona.role})`],
    ['skill', agent.skill_injected_at === null ? 'not loaded' : `loaded at ${agent.skill_injected_at}`],
    ['project', `${project.name} in ${project.path}`],
    ...(agent.worktree === null ? [] : [['worktree', `${agent.worktree.branch} in ${agent.folder}`]]),
    ['runtime', agent.runtime],
    ['session', agent.session_uuid],
    ['attach', agent.attach_command],
    ...(agent.adopted ? [['adopted', `release it: baton agent release ${agent.id}`]] : []),
    ['tmux', `${tmux.session} ${tmux.pane ?? '(no pane)'} on ${tmux.socket}`],
    ...(agent.previous_agent_id === null ? [] : [['predecessor', `agent ${agent.previous_agent_id}`]]),
    ...(agent.muted ? [['muted', `until ${agent.muted.until ?? `baton agent mute ${agent.id} --off`}`]] : []),
    ...(agent.resumed_from === null ? [] : [['resumed from', `agent ${agent.resumed_from}`]]),
    ...(agent.resumed_as === null ? [] : [['resumed as', `agent ${agent.resumed_as}`]]),
    ['handoff', handoffOf(agent)],
    ['started', agent.started_at],
    ...(agent.ended_at === null ? [] : [['ended', agent.ended_at]]),
  ];
}

function handoffOf({ id, run_id, handoff, handoff_offer: { offered, why_not } }: Agent): Part {
  if (run_id !== null) return `handoff ${run_id} is in progress: baton handoff show ${run_id}`;
  if (handoff !== null) return `record ${handoff.id} (${handoff.reason}): baton handoff show-record ${handoff.id}`;
  return offered ? ink('red', `suggested: baton handoff ${id}`) : `not suggested: ${why_not ?? 'no reason given'}`;
}

function colourOf({ state }: Agent): Colour {
  if (state === 'idle') return 'green';
  if (state === 'working' || state === 'starting') return 'cyan';
  return state === 'ended' ? 'dim' : 'yellow';
}
