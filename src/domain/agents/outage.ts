import type { InboxEntry } from '../inbox/inbox.ts';
import type { Agent } from './agent.ts';
import { agentLabel } from './apply-fact.ts';

/** Agents that were lost together because their tmux server ended. */
export interface Outage {
  readonly server: string;
  readonly agents: readonly Agent[];
}

/** Identifies the tmux server that the agent was lost with; undefined: it was not lost with one. */
export const lostServer = ({ state, pane }: Pick<Agent, 'state' | 'pane'>): string | undefined =>
  state === 'lost' && pane !== null ? `${pane.serverPid}-${pane.serverStartedAt}` : undefined;

export function outagesOf(agents: readonly Agent[]): readonly Outage[] {
  const byServer = new Map<string, Agent[]>();
  for (const agent of agents) {
    const server = lostServer(agent);
    if (server !== undefined) byServer.set(server, [...(byServer.get(server) ?? []), agent]);
  }
  return [...byServer].map(([server, lost]) => ({ server, agents: lost }));
}

const MAX_NAMES = 5;

/** @param bootId of the machine now; null if it cannot be determined. */
export function inboxEntriesForOutage(
  { server, agents }: Outage,
  nameOf: (agent: Agent) => string | null,
  bootId: string | null,
): InboxEntry {
  const rebooted = agents.some((agent) => agent.bootId != null && bootId !== null && agent.bootId !== bootId);
  const names = agents.slice(0, MAX_NAMES).map((agent) => agentLabel(agent, nameOf(agent)));
  const more = agents.length > MAX_NAMES ? ` and ${agents.length - MAX_NAMES} more` : '';
  const were = agents.length === 1 ? '1 agent was' : `${agents.length} agents were`;
  const before = rebooted ? 'the machine was started anew' : 'the tmux server ended';
  return {
    cause: { of: 'outage', server },
    kind: 'decision',
    sentence: `${were} running before ${before}: ${names.join(', ')}${more}.`,
    hint: `Go on with ${agents.length === 1 ? 'its conversation' : 'their conversations'}: baton agent restore (first see what it would do: --dry-run)`,
  };
}
