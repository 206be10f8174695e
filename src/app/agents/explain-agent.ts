import type { Agent } from '../../domain/agents/agent.ts';
import { agentNotFound } from '../../domain/agents/refuse-unreachable.ts';
import { STATE_FACTS } from '../../domain/agents/state-facts.ts';
import type { LoggedEvent } from '../../domain/facts.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Refusal } from '../../domain/refusals.ts';
import type { Ports } from '../ports/index.ts';

export interface Explanation {
  readonly agent: Agent;
  /** The time at which the agent entered its current state. Null if the agent was never in another state. */
  readonly since: Instant | null;
  /** The facts that led to the agent's current state, oldest first. */
  readonly facts: readonly LoggedEvent[];
}

const FACTS = 10;

/** Explains why Baton believes that an agent is in its current state. */
export function explainAgent(ports: Pick<Ports, 'store'>, agentId: number): Explanation | Refusal {
  return ports.store.read((tx) => {
    const agent = tx.agentById(agentId);
    if (agent === undefined) return agentNotFound(agentId);
    return {
      agent,
      since: tx.latestEventsOf(agentId, ['agent_state_changed'], 1)[0]?.at ?? null,
      facts: tx.latestEventsOf(agentId, STATE_FACTS, FACTS),
    };
  });
}
