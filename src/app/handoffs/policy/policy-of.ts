import type { Agent } from '../../../domain/agents/agent.ts';
import { type NearestPolicy, nearestPolicy } from '../../../domain/handoffs/policy/policy.ts';
import type { Tx } from '../../ports/store.ts';

/**
 * Returns the handoff policy that applies to an agent, and its source: the agent, the persona, the project, or the
 * default.
 */
export const policyOf = (tx: Pick<Tx, 'personaById' | 'projectById'>, agent: Agent): NearestPolicy =>
  nearestPolicy(
    agent,
    agent.personaId === null ? undefined : tx.personaById(agent.personaId),
    tx.projectById(agent.projectId),
  );
