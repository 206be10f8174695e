import { type Agent, LAUNCH_UNKNOWN, type Pane, paneTag } from '../domain/agent/agent.ts';
import type { Fact } from '../domain/facts.ts';
import type { Panes } from './ports/terminal.ts';
import type { Trouble } from './trouble.ts';
import type { Ports } from './world.ts';

/** Liveness: the process, not the pane. A pane that is not there ended; a server that is not there was lost with all it held. */
export async function lookAtPanes(ports: Ports, agents: readonly Agent[]): Promise<Fact[]> {
  const ours = agents.filter(({ pane }) => pane?.outside === undefined);
  const toSee = ours.filter((agent) => agent.pane !== null || agent.stateReason === LAUNCH_UNKNOWN);
  if (toSee.length === 0) return [];
  const seen = await ports.terminal.list();
  const facts = toSee.flatMap((agent) =>
    agent.pane === null ? judgeLaunch(agent, seen, ports.bootId) : (judgePane(agent, seen) ?? []),
  );
  return facts;
}

/** tmux did not answer when it was asked to start it; now it does. */
function judgeLaunch(agent: Agent, { panes }: Panes, bootId: string | null): Fact {
  const found = panes.find(({ identity, dead }) => identity.tag === paneTag(agent) && !dead);
  return found === undefined
    ? { type: 'agent_process_gone', agentId: agent.id, detail: 'it was never started, or ended at once' }
    : { type: 'agent_launched', agentId: agent.id, pane: found.identity, bootId };
}

function judgePane(agent: Agent, { server, panes }: Panes): Fact | undefined {
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

export interface SeenOutside {
  readonly facts: readonly Fact[];
  /** Agents whose tmux did not answer: nothing more is asked of it in this look. */
  readonly unseen: ReadonlySet<number>;
}

/** Each tmux of the operator's for itself: one that hangs hides its own agents and no others. */
export async function lookOutside(ports: Ports, trouble: Trouble, agents: readonly Agent[]): Promise<SeenOutside> {
  const sockets = new Set(agents.flatMap(({ pane }) => pane?.outside?.socket ?? []));
  const facts: Fact[] = [];
  const unseen = new Set<number>();
  for (const socket of sockets) {
    const there = agents.filter(({ pane }) => pane?.outside?.socket === socket);
    const seen = await trouble.attempt('look at your own tmux', () => ports.terminal.list(socket));
    for (const agent of there) {
      if (seen === undefined) unseen.add(agent.id);
      else facts.push(...((await judgeOutside(ports, agent, seen)) ?? []));
    }
  }
  return { facts, unseen };
}

/** The shell around the agent is the operator's: that it goes on says nothing about the agent. */
async function judgeOutside(ports: Ports, agent: Agent, seen: Panes): Promise<readonly Fact[] | undefined> {
  const fact = judgePane(agent, seen);
  if (fact !== undefined) return [fact];
  const { outside } = agent.pane ?? {};
  if (outside === undefined || (await ports.processMark(outside.pid)) === outside.mark) return undefined;
  return [{ type: 'agent_process_gone', agentId: agent.id, detail: 'its process has ended' }];
}
