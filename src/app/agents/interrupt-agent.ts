import { type Agent, isLive } from '../../domain/agents/agent.ts';
import { agentNotFound, refuseNoPane, refuseNotActive } from '../../domain/agents/refuse-unreachable.ts';
import { howToWait } from '../../domain/handoffs/run.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import { pressEscape } from '../engine/effects/interrupt-agent.ts';
import { recordFact } from '../engine/record-facts.ts';
import { runInFlightOf } from '../handoffs/run-in-flight.ts';
import type { Ports } from '../ports/index.ts';
import type { Tx } from '../ports/store.ts';

/**
 * Interrupts a working agent. Refuses while the agent is in a handoff: in this case, the operator uses the action
 * `interrupt` of the run, which also records the interruption in the run.
 */
export async function interruptAgent(ports: Ports, agentId: number): Promise<Agent | Refusal> {
  const agent = ports.store.read((tx) => judge(tx, agentId));
  if (isRefusal(agent)) return agent;
  if (agent.pane === null || !ports.runtimes.has(agent.runtime)) return refuseNoPane(agent, 'interrupt the agent');
  const problem = await pressEscape(ports, agentId, () => ports.store.read((tx) => !isRefusal(judge(tx, agentId))));
  if (problem !== undefined)
    return { code: 'action_not_possible', sentence: `Agent ${agentId} was not interrupted: ${problem}` };
  return ports.store.write((tx) => {
    recordFact(tx, ports, { type: 'agent_interrupted', agentId, refusal: null });
    return tx.agentById(agentId) ?? agent;
  });
}

function judge(tx: Tx, agentId: number): Agent | Refusal {
  const agent = tx.agentById(agentId);
  if (agent === undefined) return agentNotFound(agentId);
  if (!isLive(agent)) return refuseNotActive(agent);
  const run = runInFlightOf(tx, agentId);
  if (run === undefined) return agent;
  return {
    code: 'agent_in_handoff',
    sentence: `Agent ${agentId} takes part in handoff ${run.id}, so Baton did not interrupt it`,
    hint:
      run.step === 'waiting_safe_point' && run.agentId === agentId
        ? `Interrupt the agent for the handoff: baton handoff interrupt ${run.id}`
        : howToWait(run),
    runId: run.id,
    runStep: run.step,
  };
}
