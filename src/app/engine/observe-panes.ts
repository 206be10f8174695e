import { type Agent, type Pane, paneTag } from '../../domain/agents/agent.ts';
import { endInWords } from '../../domain/agents/program-end.ts';
import type { Fact } from '../../domain/facts.ts';
import type { Ports } from '../ports/index.ts';
import type { PaneStatus, Panes } from '../ports/terminal.ts';
import type { Health } from './health.ts';

export interface SeenPanes {
  readonly facts: readonly Fact[];
  /** Panes that stayed open after their program ended, so that its last output can be read. */
  readonly dead: readonly PaneStatus[];
}

/**
 * Observes the panes of our tmux server. An agent is live only while its process runs; an open pane is not enough. If
 * its pane is gone, the agent has ended. If the tmux server is gone, all its agents are lost.
 */
export async function observePanes(ports: Ports, agents: readonly Agent[]): Promise<SeenPanes> {
  const ours = agents.filter(({ pane }) => pane?.outside === undefined);
  const toSee = ours.filter((agent) => agent.pane !== null || agent.stateCause === 'launch_unknown');
  const seen = await ports.terminal.list();
  const facts: Fact[] = [];
  for (const agent of toSee) {
    const fact = agent.pane === null ? assessLaunch(agent, seen, ports.bootId) : assessPane(agent, seen);
    const pane = seen.panes.find(({ identity }) => identity.tag === paneTag(agent));
    if (fact?.type === 'agent_process_gone' && pane?.dead && agent.registeredAt === null)
      facts.push(...(await withLastWords(ports, pane.identity, fact)));
    else if (fact !== undefined) facts.push(fact);
    // The session has begun, so from now on the pane may close when its program exits.
    else if (pane?.staysAtExit && agent.registeredAt !== null) await ports.terminal.closeAtExit(pane.identity);
  }
  return { facts, dead: seen.panes.filter(({ dead }) => dead) };
}

/** Adds to the fact how the program ended. Returns no fact until this is known; the next reconcile checks again. */
async function withLastWords(
  ports: Ports,
  pane: Pane,
  fact: Extract<Fact, { type: 'agent_process_gone' }>,
): Promise<readonly Fact[]> {
  const end = await ports.terminal.programEnd(pane);
  if (end?.isEnding) return [];
  return [end === undefined ? fact : { ...fact, detail: endInWords(fact.detail, end) }];
}

/**
 * Removes dead panes after the ends of their agents are recorded. If Baton is killed before that, it finds the panes
 * again and records the same.
 */
export async function removeDeadPanes(ports: Ports, dead: readonly PaneStatus[]): Promise<void> {
  if (dead.length === 0) return;
  const live = new Set(ports.store.read((tx) => tx.liveAgents()).map(paneTag));
  for (const { identity } of dead) if (!live.has(identity.tag)) await ports.terminal.end(identity);
}

/** Determines the result of a launch that tmux did not answer, from the panes that tmux lists now. */
function assessLaunch(agent: Agent, { panes }: Panes, bootId: string | null): Fact {
  const found = panes.find(({ identity }) => identity.tag === paneTag(agent));
  if (found?.dead) return { type: 'agent_process_gone', agentId: agent.id, detail: 'the program ended at once' };
  return found === undefined
    ? { type: 'agent_process_gone', agentId: agent.id, detail: 'it was never started, or ended at once' }
    : { type: 'agent_launched', agentId: agent.id, pane: found.identity, bootId };
}

function assessPane(agent: Agent, { server, panes }: Panes): Fact | undefined {
  const { pane } = agent;
  if (pane === null) return undefined;
  const same = panes.find(({ identity }) => isSamePane(identity, pane));
  if (same !== undefined && !same.dead) return undefined;
  if (server === undefined || !isSameServer(server, pane))
    return { type: 'agent_pane_lost', agentId: agent.id, detail: 'the tmux server that held it is gone' };
  return { type: 'agent_process_gone', agentId: agent.id, detail: 'its process has ended' };
}

const isSameServer = (one: Pick<Pane, 'serverPid' | 'serverStartedAt'>, other: Pane): boolean =>
  one.serverPid === other.serverPid && one.serverStartedAt === other.serverStartedAt;

const isSamePane = (one: Pane, other: Pane): boolean =>
  isSameServer(one, other) && one.paneId === other.paneId && one.panePid === other.panePid && one.tag === other.tag;

export interface SeenExternal {
  readonly facts: readonly Fact[];
  /** Agents whose tmux server did not answer. This reconcile does not ask this server again. */
  readonly unseen: ReadonlySet<number>;
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
  for (const socket of sockets) {
    const there = agents.filter(({ pane }) => pane?.outside?.socket === socket);
    const seen = await health.guard('read your own tmux', () => ports.terminal.list(socket));
    for (const agent of there) {
      if (seen === undefined) unseen.add(agent.id);
      else facts.push(...((await validateExternalPane(ports, agent, seen)) ?? []));
    }
  }
  return { facts, unseen };
}

/** Checks the process of the agent, because its pane belongs to a shell and stays open when the agent ends. */
async function validateExternalPane(ports: Ports, agent: Agent, seen: Panes): Promise<readonly Fact[] | undefined> {
  const fact = assessPane(agent, seen);
  if (fact !== undefined) return [fact];
  const { outside } = agent.pane ?? {};
  if (outside === undefined || (await ports.processMark(outside.pid)) === outside.mark) return undefined;
  return [{ type: 'agent_process_gone', agentId: agent.id, detail: 'its process has ended' }];
}
