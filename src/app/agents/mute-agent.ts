import { type Agent, isLive } from '../../domain/agents/agent.ts';
import { agentNotFound } from '../../domain/agents/refuse-unreachable.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Refusal } from '../../domain/refusals.ts';
import { type FactPorts, recordFact } from '../engine/record-facts.ts';
import type { Ports } from '../ports/index.ts';

export type Mute = { readonly muted: false } | { readonly muted: true; readonly until: Instant | null };

/**
 * Mutes an agent. While the agent is muted, only failures cause notifications; all other notifications are sent in one
 * summary when the mute ends.
 */
export function muteAgent(
  ports: FactPorts & Pick<Ports, 'store'>,
  agentId: number,
  mute: Mute,
): Promise<Agent | Refusal> {
  return ports.store.write((tx): Agent | Refusal => {
    const before = tx.agentById(agentId);
    if (before === undefined) return agentNotFound(agentId);
    if (!isLive(before))
      return {
        code: 'agent_not_active',
        sentence: `Agent ${agentId} has ended, so its notifications can no longer be muted or unmuted`,
      };
    const until = mute.muted ? mute.until : null;
    if (until !== null && until <= ports.clock.now())
      return { code: 'bad_request', sentence: `The time until which agent ${agentId} is muted must be in the future` };
    recordFact(tx, ports, { type: 'agent_muted', agentId, muted: mute.muted, until });
    return tx.agentById(agentId) ?? before;
  });
}
