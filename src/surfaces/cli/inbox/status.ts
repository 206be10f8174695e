import { type Agent, Inbox, type InboxItem, type Run } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import { runStatus } from '../../../contract/words/step-words.ts';
import type { Cli } from '../cli.ts';
import { EXIT } from '../cli-fault.ts';
import { getAgents, getHealth, getRuns } from '../client/look-up.ts';
import { operatorClient } from '../client/operator-client.ts';
import { CROSS, ink, type Part, TICK } from '../output/ink.ts';
import { table } from '../output/table.ts';
import { ago } from '../output/when.ts';
import { questionOf } from './needs.ts';
import { worstFirst } from './worst-first.ts';

/** The maximum number of inbox items in the digest. `baton inbox list` prints all items. */
const MOST = 5;

/**
 * Prints a digest: the server, the agents by state, the inbox items that need the operator, and the handoffs in
 * progress.
 */
export async function showStatus(cli: Cli): Promise<number> {
  const { out } = cli;
  const api = operatorClient(cli.deps);
  const health = await getHealth(api);
  const [{ agents }, inbox, { runs }] = await Promise.all([
    getAgents(api, { live: true }).then(({ data }) => data),
    api.get(PATHS.inbox, Inbox).then(({ data }) => worstFirst(data.items)),
    getRuns(api, { state: 'in_flight' }).then(({ data }) => data),
  ]);
  const { version, address, trouble, indexed_percent: indexed } = health.data;
  if (cli.json) {
    out.json({ ...(health.body as object), agents: byState(agents), inbox, handoffs: runs.map(shortRun) });
    return EXIT.done;
  }
  out.print(trouble.length === 0 ? TICK : CROSS, ` Baton ${version}${address ? ` at ${address}` : ''}`);
  for (const sentence of trouble) out.print(ink('red', `  ${sentence}`));
  if (indexed !== undefined)
    out.print(ink('dim', `  The search reads the older history: ${indexed} % can be found so far.`));
  out.print(`  ${agentsInWords(agents)}`);
  for (const line of [...countdownLines(agents), ...inboxLines(inbox, agents), ...runLines(runs, agents)])
    out.print(...line);
  return EXIT.done;
}

function byState(agents: readonly Agent[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { state } of agents) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}

function agentsInWords(agents: readonly Agent[]): string {
  if (agents.length === 0) return 'No agent is running. Start one: baton agent start';
  const counts = Object.entries(byState(agents)).map(([state, count]) => `${count} ${state.replaceAll('_', ' ')}`);
  return `${agents.length === 1 ? '1 agent' : `${agents.length} agents`}: ${counts.join(', ')}`;
}

/** Lists the countdowns to automatic handoffs. The handoff that is due next comes first. */
function countdownLines(agents: readonly Agent[]): Part[][] {
  const counting = agents.flatMap(({ id, label, auto_handoff: auto }) =>
    auto?.countdown ? [{ id, label, dueAt: auto.countdown.due_at }] : [],
  );
  if (counting.length === 0) return [];
  const lines = counting
    .toSorted((a, b) => (a.dueAt < b.dueAt ? -1 : 1))
    .map(({ id, label, dueAt }): Part[] => [
      '  ',
      ink('yellow', `${label} (agent ${id}) ${ago(dueAt)}`),
      `  baton policy cancel ${id}, or: baton policy snooze ${id}`,
    ]);
  return [[''], [ink('bold', 'Baton hands off by itself')], ...lines];
}

function inboxLines(items: readonly InboxItem[], agents: readonly Agent[]): Part[][] {
  if (items.length === 0) return [['  Nothing needs you.']];
  const rows = items.slice(0, MOST).flatMap(({ id, kind, sentence, hint, opened_at, agent_id }): Part[][] => {
    const agent = kind === 'question' ? agents.find((each) => each.id === agent_id) : undefined;
    const asked = agent === undefined ? null : questionOf(agent);
    return [
      [
        `  ${id}  `,
        ink(kind === 'failure' ? 'red' : 'yellow', kind),
        `  ${sentence}${asked === null ? '' : `: ${asked}`} `,
        ink('dim', `(${ago(opened_at)})`),
      ],
      [`     ${hint}`],
    ];
  });
  const more = items.length - MOST;
  return [[''], [ink('bold', 'Needs you')], ...rows, ...(more > 0 ? [[`  ${more} more: baton inbox list`]] : [])];
}

function runLines(runs: readonly Run[], agents: readonly Agent[]): Part[][] {
  if (runs.length === 0) return [];
  const nameOf = (id: number): string => agents.find((agent) => agent.id === id)?.label ?? 'an ended agent';
  const rows = runs.map((run): Part[] => [
    String(run.id),
    `${nameOf(run.agent_id)} (agent ${run.agent_id})`,
    ink('cyan', runStatus(run).words),
    `started ${ago(run.created_at)}`,
    run.waits === null ? '' : ink('yellow', run.waits),
  ]);
  return [[''], [ink('bold', 'Handoffs in progress')], ...table([], rows).map((line) => ['  ', ...line])];
}

const shortRun = ({ id, agent_id, successor_agent_id, step, waits, created_at }: Run) => ({
  id,
  agent_id,
  successor_agent_id,
  step,
  waits,
  created_at,
});
