import type { Agent } from '../../../domain/agents/agent.ts';
import { agentNotFound } from '../../../domain/agents/refuse-unreachable.ts';
import { continueElsewhere } from '../../../domain/limits/usage-limit.ts';
import type { Refusal } from '../../../domain/refusals.ts';
import { type FactPorts, recordFact } from '../../engine/record-facts.ts';
import type { Ports } from '../../ports/index.ts';

/**
 * Sets whether Baton asks the agent to continue after the agent's usage limit has ended. Baton asks only if the
 * operator has chosen this.
 */
export function awaitLimit(
  ports: FactPorts & Pick<Ports, 'store'>,
  agentId: number,
  wait: boolean,
): Promise<Agent | Refusal> {
  return ports.store.write((tx): Agent | Refusal => {
    const agent = tx.agentById(agentId);
    if (agent === undefined) return agentNotFound(agentId);
    const refusal = refuseWaiting(agent);
    if (refusal !== undefined) return refusal;
    recordFact(tx, ports, { type: 'limit_wait_chosen', agentId, wait });
    return tx.agentById(agentId) ?? agent;
  });
}

function refuseWaiting({ id, limit }: Agent): Refusal | undefined {
  const code = 'action_not_possible';
  if (!limit) return { code, sentence: `Agent ${id} is under no usage limit, so Baton has nothing to wait for` };
  if (limit.retriesAt !== undefined)
    return {
      code,
      sentence: `The client of agent ${id} repeats the refused request by itself until the usage limit ends, so Baton need not ask the agent to continue`,
    };
  if (limit.continuesItself)
    return {
      code,
      sentence: `The client of agent ${id} continues by itself when the usage limit ends, so Baton need not ask the agent to continue`,
    };
  if (limit.until === null)
    return {
      code,
      sentence: `The client of agent ${id} does not say when the usage limit ends, so Baton cannot wait for the end of the limit`,
      hint: `Continue with another client now: ${continueElsewhere(id)}; or ask the agent later: baton agent send ${id} "continue"`,
    };
  return undefined;
}
