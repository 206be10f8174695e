import { type Agent, type Pane, paneTag } from '../../domain/agents/agent.ts';
import { endInWords } from '../../domain/agents/program-end.ts';
import type { Fact } from '../../domain/facts.ts';
import type { Ports } from '../ports/index.ts';
import type { PaneStatus, Panes } from '../ports/terminal.ts';
import type { Health } from './health.ts';

export interface SeenPanes {
  readonly facts: readonly Fact[];
  /** Panes whose program has ended. They stay open so that the last output of the program can be read. */
  readonly dead: readonly PaneStatus[];
  readonly drawn: DrawnScreens;
}

/** The version of each agent's screen (`PaneStatus.drawn`), by agent id. A changed screen has another version. */
export type DrawnScreens = ReadonlyMap<number, string>;

/**
 * Observes the panes of Baton's tmux server. If the pane of an agent is gone or its process has ended, the agent has
 * ended. An open pane alone does not prove that the agent is live. If the tmux server is gone, all agents on that
 * server are lost.
 */
export async function observePanes(ports: Ports, agents: readonly Agent[]): Promise<SeenPanes> {
  const ours = agents.filter(({ pane }) => pane?.outside === undefined);
  const toSee = ours.filter((agent) => agent.pane !== null || agent.stateCause === 'launch_unknown');
  const seen = await ports.terminal.list();
  const byTag = new Map(seen.panes.map((pane) => [pane.identity.tag, pane]));
  const byId = panesById(seen);
  const facts: Fact[] = [];
  for (const agent of toSee) {
    const pane = byTag.get(paneTag(agent));
    const fact = agent.pane === null ? assessLaunch(agent, pane, ports.bootId) : assessPane(agent, seen, byId);
    if (fact?.type === 'agent_process_gone' && pane?.dead && agent.registeredAt === null)
      facts.push(...(await withLastWords(ports, pane.identity, fact)));
    else if (fact !== undefined) facts.push(fact);
    // A program's pane stays open after the program exits, as long as the program's session has not begun. This session
    // has begun, so from now on the pane may close.
    else if (pane?.staysAtExit && agent.registeredAt !== null) await ports.terminal.closeAtExit(pane.identity);
  }
  return { facts, dead: seen.panes.filter(({ dead }) => dead), drawn: drawnBy(ours, byId) };
}

/** The panes of one tmux server by their id, which is unique on that server. */
type PanesById = ReadonlyMap<string, PaneStatus>;

const panesById = ({ panes }: Panes): PanesById => new Map(panes.map((pane) => [pane.identity.paneId, pane]));

function drawnBy(agents: readonly Agent[], byId: PanesById): DrawnScreens {
  const drawn = new Map<number, string>();
  for (const { id, pane } of agents) {
    const status = pane === null ? undefined : byId.get(pane.paneId);
    if (pane === null || status?.drawn === undefined || status.dead || !isSamePane(status.identity, pane)) continue;
    drawn.set(id, status.drawn);
  }
  return drawn;
}

/**
 * Returns the fact that a program has ended, with a description of how the program ended. Called for programs whose
 * session never began. If tmux does not know yet how the program ended, returns no facts, and the next reconcile checks
 * again.
 */
async function withLastWords(
  ports: Ports,
  pane: Pane,
  fact: Extract<Fact, { type: 'agent_process_gone' }>,
): Promise<readonly Fact[]> {
  const end = await ports.terminal.programEnd(pane);
  if (end?.isEnding) return [];
  const detail = end === undefined ? fact.detail : endInWords(fact.detail, end);
  return [{ ...fact, detail, failedToStart: true }];
}

/**
 * Removes dead panes once Baton has recorded that their agents ended. If Baton is killed before the removal, the next
 * server finds the panes again and records the same facts.
 */
export async function removeDeadPanes(ports: Ports, dead: readonly PaneStatus[]): Promise<void> {
  if (dead.length === 0) return;
  const live = new Set(ports.store.read((tx) => tx.liveAgents()).map(paneTag));
  for (const { identity } of dead) if (!live.has(identity.tag)) await ports.terminal.end(identity);
}

/**
 * Returns the result of a launch that tmux did not confirm. `found` is the pane of the agent in the list that tmux
 * sends now.
 */
function assessLaunch(agent: Agent, found: PaneStatus | undefined, bootId: string | null): Fact {
  if (found?.dead)
    return { type: 'agent_process_gone', agentId: agent.id, detail: 'the program ended at once', failedToStart: true };
  return found === undefined
    ? {
        ...{ type: 'agent_process_gone', agentId: agent.id, failedToStart: true },
        detail: 'the agent was never started, or ended at once',
      }
    : { type: 'agent_launched', agentId: agent.id, pane: found.identity, bootId };
}

function assessPane(agent: Agent, { server }: Panes, byId: PanesById): Fact | undefined {
  const { pane } = agent;
  if (pane === null) return undefined;
  const found = byId.get(pane.paneId);
  if (found !== undefined && isSamePane(found.identity, pane) && !found.dead) return undefined;
  if (server === undefined || !isSameServer(server, pane))
    return { type: 'agent_pane_lost', agentId: agent.id, detail: "the tmux server that held the agent's pane is gone" };
  return { type: 'agent_process_gone', agentId: agent.id, detail: 'its process has ended' };
}

const isSameServer = (one: Pick<Pane, 'serverPid' | 'serverStartedAt'>, other: Pane): boolean =>
  one.serverPid === other.serverPid && one.serverStartedAt === other.serverStartedAt;

const isSamePane = (one: Pane, other: Pane): boolean =>
  isSameServer(one, other) && one.paneId === other.paneId && one.panePid === other.panePid && one.tag === other.tag;

export interface SeenExternal {
  readonly facts: readonly Fact[];
  /** Agents whose tmux server did not answer. Baton does not ask such a server a second time in the same reconcile. */
  readonly unseen: ReadonlySet<number>;
  readonly drawn: DrawnScreens;
}

/** Observes each of the operator's tmux servers separately, so that a server that hangs affects only its own agents. */
export async function observeExternalPanes(
  ports: Ports,
  health: Health,
  agents: readonly Agent[],
): Promise<SeenExternal> {
  const sockets = new Set(agents.flatMap(({ pane }) => pane?.outside?.socket ?? []));
  const facts: Fact[] = [];
  const unseen = new Set<number>();
  const drawn = new Map<number, string>();
  for (const socket of sockets) {
    const there = agents.filter(({ pane }) => pane?.outside?.socket === socket);
    const seen = await health.guard('read your own tmux', () => ports.terminal.list(socket));
    const byId = seen === undefined ? new Map() : panesById(seen);
    for (const [id, mark] of drawnBy(there, byId)) drawn.set(id, mark);
    for (const agent of there) {
      if (seen === undefined) unseen.add(agent.id);
      else facts.push(...((await validateExternalPane(ports, agent, seen, byId)) ?? []));
    }
  }
  return { facts, unseen, drawn };
}

/**
 * Checks the process of an adopted agent and not only its pane, because the pane belongs to a shell and stays open when
 * the agent ends.
 */
async function validateExternalPane(
  ports: Ports,
  agent: Agent,
  seen: Panes,
  byId: PanesById,
): Promise<readonly Fact[] | undefined> {
  const fact = assessPane(agent, seen, byId);
  if (fact !== undefined) return [fact];
  const { outside } = agent.pane ?? {};
  if (outside === undefined || (await ports.processMark(outside.pid)) === outside.mark) return undefined;
  return [{ type: 'agent_process_gone', agentId: agent.id, detail: 'its process has ended' }];
}
