import type { InboxEntry } from '../inbox/inbox.ts';
import { type Instant, msBetween } from '../instant.ts';
import type { Agent } from './agent.ts';
import { agentLabel } from './apply-fact.ts';
import { type ResumeAround, successorOf, wentOnIn } from './resume.ts';

/** Agents that were lost together because their tmux server ended. */
export interface Outage {
  readonly server: string;
  readonly agents: readonly Agent[];
}

/** Identifies the tmux server in which the lost agent ran; undefined if the agent is not lost or has no pane. */
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

/**
 * Returns whether a lost agent can still be restored. An agent stays `lost` forever, so reconcile calls this function
 * to skip the lost agents that no longer need to be restored.
 */
export const mayBeRestored = ({ state, restore }: Pick<Agent, 'state' | 'restore'>): boolean =>
  state === 'lost' && restore?.status !== 'closed';

/** How long `baton agent restore` shows an agent after its restore. */
export const RESTORED_SHOWN_MS = 3_600_000;
const OFFERED_MS = 30 * 24 * 3_600_000;

/**
 * Returns the reason why Baton no longer offers to restore this lost agent. Returns undefined if Baton still offers it.
 * Even without an offer, the operator can run `baton agent resume`.
 */
export function whyRestoreCloses(
  { registeredAt, lastSeenAt, restore }: Agent,
  successors: ResumeAround['successors'],
  { isDeclined, now }: { readonly isDeclined: boolean; readonly now: Instant },
): string | undefined {
  const isAskedLately = restore?.status === 'wanted' && msBetween(restore.since, now) < RESTORED_SHOWN_MS;
  if (isAskedLately) return undefined;
  const follower = wentOnIn(successors) ?? successorOf(successors);
  if (follower !== undefined) return `agent ${follower.id} continues its work`;
  if (registeredAt === null) return 'its session never began';
  if (isDeclined) return 'the operator dismissed the offer';
  return msBetween(lastSeenAt, now) > OFFERED_MS ? 'it was lost more than 30 days ago' : undefined;
}

const MAX_NAMES = 5;

/** @param bootId the current boot id of the machine; null if it cannot be determined. */
export function inboxEntriesForOutage(
  { server, agents }: Outage,
  nameOf: (agent: Agent) => string | null,
  bootId: string | null,
): InboxEntry {
  const rebooted = agents.some((agent) => agent.bootId != null && bootId !== null && agent.bootId !== bootId);
  const names = agents.slice(0, MAX_NAMES).map((agent) => agentLabel(agent, nameOf(agent)));
  const more = agents.length > MAX_NAMES ? ` and ${agents.length - MAX_NAMES} more` : '';
  const were = agents.length === 1 ? '1 agent was' : `${agents.length} agents were`;
  const before = rebooted ? 'the machine restarted' : 'the tmux server ended';
  return {
    cause: { of: 'outage', server },
    kind: 'decision',
    sentence: `${were} running before ${before}: ${names.join(', ')}${more}.`,
    hint: `Resume ${agents.length === 1 ? 'the conversation' : 'the conversations'}: baton agent restore (preview it with --dry-run)`,
  };
}
