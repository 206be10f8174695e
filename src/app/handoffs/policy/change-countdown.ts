import { type Agent, hasReachedThreshold, isLive } from '../../../domain/agents/agent.ts';
import { agentNotFound, refuseNotActive } from '../../../domain/agents/refuse-unreachable.ts';
import { autoOf } from '../../../domain/handoffs/policy/auto-handoff.ts';
import { howToWait } from '../../../domain/handoffs/run.ts';
import { after } from '../../../domain/instant.ts';
import type { Refusal } from '../../../domain/refusals.ts';
import { type FactPorts, recordFact } from '../../engine/record-facts.ts';
import type { Ports } from '../../ports/index.ts';
import { policyOf } from './policy-of.ts';

export type CountdownChange = { readonly do: 'cancel' } | { readonly do: 'snooze'; readonly minutes: number };

/**
 * Cancels or postpones the automatic handoff of an agent, even if no countdown runs. A cancel lasts until the context
 * use falls below the threshold or a person sets the agent's policy. A cancel that would have no effect is refused.
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
        sentence: `The handoff policy of agent ${agentId} is ${mode}, so Baton does not hand off the agent by itself`,
        hint: `See the policy: baton policy show ${agentId}`,
      };
    const { handoffAtPercent } = ports.operatorSettings.current();
    if (change.do === 'cancel' && !isCancelable(agent, handoffAtPercent))
      return {
        code: 'action_not_possible',
        sentence: `There is no automatic handoff of agent ${agentId} to cancel: ${contextInWords(agent)}, Baton begins an automatic handoff at ${handoffAtPercent} %, and the agent has not asked for a handoff`,
        hint: `Switch automatic handoffs off for this agent: baton policy set suggest --agent ${agentId}`,
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

/**
 * Returns whether a cancel has an effect: an automatic handoff is under way, asked for, held back, or due at the
 * threshold.
 */
function isCancelable(agent: Agent, handoffAtPercent: number): boolean {
  const { countdown, request, held } = autoOf(agent);
  return countdown !== null || request !== null || held !== null || hasReachedThreshold(agent, handoffAtPercent);
}

const contextInWords = ({ context }: Agent): string =>
  context === null ? 'its context use is not known yet' : `its context use is ${Math.floor(context.usedPercent)} %`;
