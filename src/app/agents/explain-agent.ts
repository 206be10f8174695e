import type { Agent } from '../../domain/agents/agent.ts';
import { EXPLAINED_FACTS, explainEvent } from '../../domain/agents/explain.ts';
import type { LoggedEvent } from '../../domain/facts.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Refusal } from '../../domain/refusals.ts';
import type { Ports } from '../ports/index.ts';

export interface Explanation {
  readonly agent: Agent;
  /** When the agent entered this state; null if it was never in another state. */
  readonly since: Instant | null;
  /** The facts that led to this state, oldest first. */
  readonly facts: readonly { readonly event: LoggedEvent; readonly sentence: string }[];
}

const FACTS = 10;

/** Explains why Baton believes that an agent is in its current state. */
export function explainAgent(ports: Pick<Ports, 'store'>, agentId: number): Explanation | Refusal {
  return ports.store.read((tx) => {
    const agent = tx.agentById(agentId);
    if (agent === undefined) return { code: 'agent_not_found', sentence: 'Agent not found' } as const;
    const events = tx.latestEventsOf(agentId, EXPLAINED_FACTS, FACTS);
    return {
      agent,
      since: tx.latestEventsOf(agentId, ['agent_state_changed'], 1)[0]?.at ?? null,
      facts: events.flatMap((event) => {
        const sentence = explainEvent(event);
        return sentence === undefined ? [] : [{ event, sentence }];
      }),
    };
  });
}
