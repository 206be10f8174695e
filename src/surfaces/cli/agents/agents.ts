import type { AgentsAnywhere } from '../../../contract/fleet.ts';
import type { Agent } from '../../../contract/resources.ts';
import { AGENT_ORDERS } from '../../../contract/words/agent-orders.ts';
import { projectNames } from '../../../contract/words/project-names.ts';
import type { Cli } from '../cli.ts';
import { type ListPage, olderLine } from '../client/list-page.ts';
import { getAgent, getAgents } from '../client/look-up.ts';
import { operatorClient } from '../client/operator-client.ts';
import { asHeard, heardLine } from '../fleet/heard.ts';
import { inWords } from '../handoffs/policies.ts';
import { isOver } from '../handoffs/watch/await-agent.ts';
import { needsOf } from '../inbox/needs.ts';
import { showAnswer } from '../messages/show-answer.ts';
import { contextBar, contextShare } from '../output/context-bar.ts';
import { type Colour, ink, type Part } from '../output/ink.ts';
import { table } from '../output/table.ts';
import { ago, when } from '../output/when.ts';

const HEADINGS = ['id', 'label', 'persona', 'state', '>context', 'project', 'runtime', 'needs'];
const SHORT_HEADINGS = ['id', 'label', 'project', 'state', '>context', 'active', 'needs'];

/** Lists the running agents. With `--all`, `--limit` or `--before`, also lists the ended agents. */
export async function listAgents(cli: Cli, { all = false, ...page }: { all?: boolean } & ListPage): Promise<number> {
  const live = !all && page.limit === undefined && page.before === undefined;
  const api = operatorClient(cli.deps);
  const answer = await getAgents(api, { live, page });
  const needs = cli.json ? new Map<number, string>() : await needsOf(api, answer);
  return showAnswer(cli, answer, ({ agents, next, heard }) => {
    const rows = agents.map(rowFor(answer.data, needs));
    const lines = rows.length === 0 ? [[noAgents(!live)]] : cli.out.fit(table(HEADINGS, rows.map(longRow)));
    return [...heardLine(heard), ...lines, ...olderLine(next)];
  });
}

/**
 * Prints the output of `baton ps`: the running agents. The agents that need the operator come first, the most urgent at
 * the top.
 */
export async function showProcesses(cli: Cli): Promise<number> {
  const api = operatorClient(cli.deps);
  const answer = await getAgents(api, { live: true });
  const needs = cli.json ? new Map<number, string>() : await needsOf(api, answer);
  return showAnswer(cli, answer, ({ agents, heard }) => {
    if (agents.length === 0) return [...heardLine(heard), [noAgents(false)]];
    const sorted = agents.toSorted(
      (a, b) => Number(needs.has(b.id)) - Number(needs.has(a.id)) || AGENT_ORDERS.need(a, b),
    );
    const rows = sorted.map(rowFor(answer.data, needs));
    return [...heardLine(heard), ...cli.out.fit(table(SHORT_HEADINGS, rows.map(shortRow)))];
  });
}

const noAgents = (all: boolean): string =>
  all
    ? 'No agents yet. Start one: baton agent start'
    : 'No agent is running. List ended agents: baton agent list --all';

/**
 * Returns the name of the agent's project. If another project in the list has the same name, adds parent folders to the
 * name.
 */
const named = (agents: readonly Agent[], { project }: Agent): string =>
  projectNames(agents.map((each) => each.project))(project);

/** A row of the table of agents. `project` and `needs` cannot be derived from `agent` alone. */
interface Row {
  readonly agent: Agent;
  readonly project: string;
  readonly state: Part;
  readonly needs: string;
}

const rowFor =
  ({ agents, heard }: AgentsAnywhere, needs: ReadonlyMap<number, string>) =>
  (agent: Agent): Row => ({
    agent,
    project: named(agents, agent),
    state: asHeard(heard, ink(colourOf(agent), agent.state)),
    needs: needs.get(agent.id) ?? '',
  });

function longRow({ agent, project, state, needs }: Row): Part[] {
  return [
    String(agent.id),
    agent.label,
    agent.persona?.slug ?? '-',
    state,
    agent.context === null ? '-' : contextShare(agent.context),
    project,
    agent.runtime,
    ink('yellow', needs),
  ];
}

const shortRow = ({ agent, project, state, needs }: Row): Part[] => [
  String(agent.id),
  agent.label,
  project,
  state,
  agent.context === null ? '-' : contextShare(agent.context),
  ago(agent.last_seen_at),
  ink('yellow', needs),
];

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
    ...(agent.limit ? [['limit', limitLine(agent.limit)]] : []),
    ...(agent.activity === null ? [] : [['activity', agent.activity]]),
    ...agent.background.map(({ kind, what }) => ['background', `${kind}: ${what}`]),
    ['context', context === null ? 'not measured yet' : contextBar(context)],
    ['persona', persona === null ? 'none' : `${persona.slug} (${persona.role})`],
    ['skill', agent.skill_injected_at === null ? 'not loaded' : `loaded ${when(agent.skill_injected_at)}`],
    ['project', `${project.name} in ${project.path}`],
    ...(agent.worktree === null ? [] : [['worktree', `${agent.worktree.branch} in ${agent.folder}`]]),
    ['runtime', [agent.runtime, agent.model ?? [], agent.client_args ?? []].flat().join(' ')],
    ['session', agent.session_uuid],
    ...(isOver(agent) ? [] : [['attach', agent.attach_command]]),
    ...(agent.adopted ? [['adopted', `release it: baton agent release ${agent.id}`]] : []),
    ...(isOver(agent) ? [] : [['tmux', `${tmux.session} ${tmux.pane ?? '(no pane)'} on ${tmux.socket}`]]),
    ...(agent.previous_agent_id === null ? [] : [['predecessor', `agent ${agent.previous_agent_id}`]]),
    ...(agent.muted
      ? [['muted', `until ${agent.muted.until ? when(agent.muted.until) : `baton agent mute ${agent.id} --off`}`]]
      : []),
    ...(agent.resumed_from === null ? [] : [['resumed from', `agent ${agent.resumed_from}`]]),
    ...(agent.resumed_as === null ? [] : [['resumed as', `agent ${agent.resumed_as}`]]),
    ['handoff', handoffOf(agent)],
    ...(agent.handoff_policy === undefined ? [] : [['policy', policyLine(agent.handoff_policy)]]),
    ...(agent.auto_handoff?.countdown
      ? [
          [
            'countdown',
            ink('yellow', `ends ${ago(agent.auto_handoff.countdown.due_at)}: baton policy cancel ${agent.id}`),
          ],
        ]
      : []),
    ['started', when(agent.started_at)],
    ...(agent.ended_at === null ? [] : [['ended', when(agent.ended_at)]]),
  ];
}

function handoffOf({ id, run_id, handoff, handoff_offer: { offered, why_not } }: Agent): Part {
  if (run_id !== null) return `handoff ${run_id} is in progress: baton handoff show ${run_id}`;
  if (handoff !== null) return `recorded (${handoff.reason}): baton handoff show-record ${handoff.id}`;
  return offered ? ink('red', `suggested: baton handoff ${id}`) : `not suggested: ${why_not ?? 'no reason given'}`;
}

function limitLine({ until, retries_at, continues_itself, waits }: NonNullable<Agent['limit']>): string {
  if (until === null) {
    const unknown = 'its client does not say when the limit ends';
    return retries_at === null ? unknown : `${unknown}; it tries again ${when(retries_at)}`;
  }
  const then = continues_itself
    ? '; its client continues by itself then'
    : waits
      ? '; Baton asks it to continue then'
      : '';
  return `ends ${when(until)}${then}`;
}

const policyLine = (policy: NonNullable<Agent['handoff_policy']>): string =>
  `${inWords(policy)} (${policy.from === 'default' ? "Baton's default" : `set for the ${policy.from}`})`;

function colourOf({ state }: Agent): Colour {
  if (state === 'idle') return 'green';
  if (state === 'working' || state === 'starting') return 'cyan';
  return state === 'ended' ? 'dim' : 'yellow';
}
