import { type Agent, isLive } from '../../../domain/agents/agent.ts';
import { agentNotFound, refuseNotActive } from '../../../domain/agents/refuse-unreachable.ts';
import { howToWait } from '../../../domain/handoffs/run.ts';
import { after } from '../../../domain/instant.ts';
import type { Refusal } from '../../../domain/refusals.ts';
import { type FactPorts, recordFact } from '../../engine/record-facts.ts';
import type { Ports } from '../../ports/index.ts';
import { policyOf } from './policy-of.ts';

export type CountdownChange = { readonly do: 'cancel' } | { readonly do: 'snooze'; readonly minutes: number };

/**
 * Cancels or postpones the automatic handoff of an agent, whether its countdown runs or not. A cancel lasts until the
 * context use falls below the threshold or a person sets the agent's policy.
 */
export function changeCountdown(
  ports: FactPorts & Pick<Ports, 'store'>,
  agentId: number,
  change: CountdownChange,
): Promise<Agent | Refusal> {
  return ports.store.write((tx): Agent | Refusal => {
    const agent = tx.agentById(agentId);
    if (agent === undefined) return agentNotFound(agentId);
    if (!isLive(agent)) return refuseNotActive(agent);
    const running = tx.runsInFlightOf(agentId).find((run) => run.agentId === agentId);
    if (running !== undefined)
      return {
        code: 'action_not_possible',
        sentence: `The handoff of agent ${agentId} has already begun as handoff ${running.id}`,
        hint: howToWait(running),
      };
    const { mode } = policyOf(tx, agent).policy;
    if (mode !== 'auto')
      return {
        code: 'action_not_possible',
        sentence: `The handoff policy of agent ${agentId} is ${mode}, so Baton does not hand it off by itself`,
        hint: `See the policy: baton policy show ${agentId}`,
      };
    recordFact(
      tx,
      ports,
      change.do === 'cancel'
        ? { type: 'countdown_cancelled', agentId }
        : { type: 'countdown_snoozed', agentId, until: after(ports.clock.now(), change.minutes * 60_000) },
    );
    return tx.agentById(agentId) ?? agent;
  });
}
