import type { InboxEntry } from '../inbox/inbox.ts';
import type { Agent } from './agent.ts';
import { agentLabel } from './apply-fact.ts';

/** Agents that were lost together because their tmux server ended. */
export interface Outage {
  readonly key: string;
  readonly agents: readonly Agent[];
}

const PREFIX = 'restore/';

/** undefined: the agent was not lost with a tmux server. */
export const outageKey = ({ state, pane }: Pick<Agent, 'state' | 'pane'>): string | undefined =>
  state === 'lost' && pane !== null ? `${PREFIX}${pane.serverPid}-${pane.serverStartedAt}` : undefined;

export const isAboutOutage = ({ key }: { readonly key: string }): boolean => key.startsWith(PREFIX);
export const OUTAGE_KEYS = PREFIX;

export function outagesOf(agents: readonly Agent[]): readonly Outage[] {
  const byKey = new Map<string, Agent[]>();
  for (const agent of agents) {
    const key = outageKey(agent);
    if (key !== undefined) byKey.set(key, [...(byKey.get(key) ?? []), agent]);
  }
  return [...byKey].map(([key, lost]) => ({ key, agents: lost }));
}

const MAX_NAMES = 5;

/** @param bootId of the machine now; null if it cannot be determined. */
export function inboxEntriesForOutage(
  { key, agents }: Outage,
  nameOf: (agent: Agent) => string | null,
  bootId: string | null,
): InboxEntry {
  const rebooted = agents.some((agent) => agent.bootId != null && bootId !== null && agent.bootId !== bootId);
  const names = agents.slice(0, MAX_NAMES).map((agent) => agentLabel(agent, nameOf(agent)));
  const more = agents.length > MAX_NAMES ? ` and ${agents.length - MAX_NAMES} more` : '';
  const were = agents.length === 1 ? '1 agent was' : `${agents.length} agents were`;
  const before = rebooted ? 'the machine restarted' : 'the tmux server ended';
  return {
    key,
    kind: 'decision',
    sentence: `${were} running before ${before}: ${names.join(', ')}${more}.`,
    hint: `Resume ${agents.length === 1 ? 'its conversation' : 'their conversations'}: baton agent restore (see first what it would do: --dry-run)`,
  };
}
