import type { Tx } from '../../../../app/ports/store.ts';
import { isLive } from '../../../../domain/agents/agent.ts';
import type { LoggedEvent } from '../../../../domain/facts.ts';
import type { Run } from '../../../../domain/handoffs/run.ts';
import { isTerminal } from '../../../../domain/packages/record.ts';
import { isHandoffPackage, isPackageEvent, type StoredPackage } from '../../../../domain/packages/stored-package.ts';
import { HISTORY_PURGED, isPurged } from '../../chain-check.ts';

export interface PurgeScope {
  /**
   * Purges only data from before this time: agents and packages that ended earlier, and earlier events. Undefined means
   * no limit.
   */
  readonly before?: string;
  readonly agent?: number;
  readonly persona?: string;
}

export interface Kept {
  readonly what: string;
  readonly why: string;
}

export interface PurgePlan {
  readonly agents: readonly number[];
  readonly runs: readonly Run[];
  readonly packages: readonly string[];
  /** Projects that lose all of their packages. */
  readonly emptiedProjects: readonly number[];
  readonly events: readonly LoggedEvent[];
  readonly kept: readonly Kept[];
  /** The runs that are not deleted. The documents of these runs must not be deleted either. */
  readonly runsLeft: readonly Run[];
  /** Set if the agent or the persona that was to be purged does not exist. */
  readonly unknown?: 'agent' | 'persona';
}

const EVERY = 1_000_000_000;
const PAGE = 1_000;

/**
 * Plans what to delete. Keeps all data that is still needed by a live agent, an open run, an open inbox item or an open
 * package. Lists the kept data with the reason.
 */
export function planPurge(tx: Tx, scope: PurgeScope): PurgePlan {
  const runs = tx.runs({ limit: EVERY });
  const kept: Kept[] = [];
  const chains = purgeablePackages(tx, scope, kept);
  const told = settledContinuations(tx);
  const needed = neededAgents(tx, runs, idsOf([...chains, ...told]));
  const agents = new Set<number>();
  for (const agent of wantedAgents(tx, scope)) {
    const why = needed.get(agent.id);
    if (why === undefined) agents.add(agent.id);
    else kept.push({ what: `agent ${agent.id}`, why });
  }
  const gone = runs.filter((run) => agents.has(run.agentId));
  // Keep the package of a handoff as long as the handoff itself, that is, as long as the predecessor in this handoff.
  const staysWithAgent = ({ senderAgentId }: StoredPackage): boolean =>
    senderAgentId !== null && !agents.has(senderAgentId) && tx.agentById(senderAgentId) !== undefined;
  const going = idsOf([
    ...chains.filter((each) => !isHandoffPackage(each) || !staysWithAgent(each)),
    ...told.filter(({ senderAgentId }) => agents.has(senderAgentId ?? 0)),
  ]);
  const packages = tx.packages({}).filter(({ record }) => going.has(record.id));
  return {
    agents: [...agents].sort((a, b) => a - b),
    runs: gone,
    packages: [...going],
    emptiedProjects: emptied(tx, packages),
    events: purgeableEvents(tx, scope, { agents, packages: going }),
    kept,
    runsLeft: runs.filter((run) => !agents.has(run.agentId)),
    ...unknownIn(tx, scope),
  };
}

function unknownIn(tx: Tx, { agent, persona }: PurgeScope): Pick<PurgePlan, 'unknown'> {
  if (agent !== undefined && tx.agentById(agent) === undefined) return { unknown: 'agent' };
  if (persona !== undefined && tx.personaBySlug(persona) === undefined) return { unknown: 'persona' };
  return {};
}

/**
 * Returns all agents that match the scope of the purge. `neededAgents` then decides which of these agents must be kept.
 */
function wantedAgents(tx: Tx, { before, agent, persona }: PurgeScope) {
  const personaId = persona === undefined ? undefined : tx.personaBySlug(persona)?.id;
  return tx
    .agents()
    .filter((each) => agent === undefined || each.id === agent)
    .filter((each) => persona === undefined || each.personaId === personaId)
    .filter((each) => before === undefined || (each.endedAt ?? each.lastSeenAt) < before);
}

function neededAgents(tx: Tx, runs: readonly Run[], purged: ReadonlySet<string>): ReadonlyMap<number, string> {
  const needed = new Map<number, string>();
  const need = (id: number | null, why: string): void => {
    if (id !== null && !needed.has(id)) needed.set(id, why);
  };
  for (const agent of tx.agents().filter(isLive)) {
    need(agent.id, 'it has not ended');
    need(agent.previousAgentId, `agent ${agent.id} is running and works from its handoff`);
  }
  for (const run of tx.runsInFlight())
    for (const id of [run.agentId, run.successorAgentId, run.broughtBackAgentId])
      need(id, `handoff ${run.id} is in progress`);
  const open = new Set(tx.openInboxItems().map(({ runId }) => runId));
  for (const run of runs) {
    if (open.has(run.id)) need(run.agentId, `handoff ${run.id} waits for you in the inbox`);
    if (run.failure?.code === 'unknown_step')
      need(run.agentId, `handoff ${run.id} is at a step that this version of Baton does not know`);
  }
  for (const { record, senderAgentId, receiverAgentId } of tx.packages({}))
    if (!purged.has(record.id))
      for (const id of [senderAgentId, receiverAgentId]) need(id, `package ${record.id} refers to it`);
  return needed;
}

/**
 * Returns the packages to delete. A chain of packages is deleted only as a whole, because an open package may refer to
 * any part of its chain. For a purge of one agent or persona, returns no packages, because an agent or persona takes
 * part in many chains.
 */
function purgeablePackages(tx: Tx, { before, agent, persona }: PurgeScope, kept: Kept[]): readonly StoredPackage[] {
  if (agent !== undefined || persona !== undefined) return [];
  return [...chainsOf(tx.packages({})).values()].flatMap((chain) => {
    const open = chain.find(({ record }) => !isTerminal(record));
    if (open !== undefined) {
      const root = chain[0]?.lineage.root;
      const why = open.record.id === root ? 'it is open' : `package ${open.record.id} of its chain is open`;
      kept.push({ what: `package ${root}`, why });
      return [];
    }
    return before === undefined || chain.every((each) => overAt(tx, each) < before) ? chain : [];
  });
}

const idsOf = (packages: readonly StoredPackage[]): Set<string> => new Set(packages.map(({ record }) => record.id));

/**
 * Returns the handoff packages of chains in which every package has ended. Such a package is deleted together with the
 * predecessor of its handoff. If the package stayed, no agent that has handed off could ever be purged.
 */
const settledContinuations = (tx: Tx): readonly StoredPackage[] =>
  [...chainsOf(tx.packages({})).values()]
    .filter((chain) => chain.every(({ record }) => isTerminal(record)))
    .flatMap((chain) => chain.filter(isHandoffPackage));

function chainsOf(all: readonly StoredPackage[]): Map<string, StoredPackage[]> {
  const chains = new Map<string, StoredPackage[]>();
  for (const each of all) chains.set(each.lineage.root, [...(chains.get(each.lineage.root) ?? []), each]);
  return chains;
}

function emptied(tx: Tx, going: readonly StoredPackage[]): readonly number[] {
  const projects = [...new Set(going.map(({ projectId }) => projectId))];
  return projects.filter(
    (projectId) => tx.packages({ projectId }).length === going.filter((each) => each.projectId === projectId).length,
  );
}

function overAt(tx: Tx, { overSeq }: StoredPackage): string {
  const [event] = overSeq === null ? [] : tx.eventsAfter(overSeq - 1, 1);
  return event?.at ?? '9999';
}

interface Going {
  readonly agents: ReadonlySet<number>;
  readonly packages: ReadonlySet<string>;
}

function purgeableEvents(tx: Tx, scope: PurgeScope, going: Going): readonly LoggedEvent[] {
  const found: LoggedEvent[] = [];
  for (let page = tx.eventsAfter(0, PAGE); page.length > 0; page = tx.eventsAfter(page.at(-1)?.seq ?? 0, PAGE))
    found.push(...page.filter((event) => !isPurged(event) && mayGo(event, scope, going)));
  return found;
}

function mayGo(event: LoggedEvent, { before, agent, persona }: PurgeScope, { agents, packages }: Going): boolean {
  if (event.type === HISTORY_PURGED) return false;
  if (isPackageEvent(event.type)) return packages.has(String(event.data.packageId));
  if (event.agentId !== null) return agents.has(event.agentId);
  if (event.runId !== null || agent !== undefined || persona !== undefined) return false;
  return before === undefined || event.at < before;
}
