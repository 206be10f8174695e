import { type Agent, isLive, shortUuid } from '../../domain/agents/agent.ts';
import { agentNotFound, refuseNotActive } from '../../domain/agents/refuse-unreachable.ts';
import { howToWait } from '../../domain/handoffs/run.ts';
import type { Refusal } from '../../domain/refusals.ts';
import { enqueueEffects } from '../engine/record-facts.ts';
import { runInFlightOf } from '../handoffs/run-in-flight.ts';
import { raiseNotice } from '../inbox/raise-notice.ts';
import type { Ports } from '../ports/index.ts';

/**
 * Asks the agent to exit or, with `force`, ends its pane. Refuses during a handoff run, which the operator must cancel
 * before the agent can be stopped.
 */
export function stopAgent(
  ports: Pick<Ports, 'store' | 'secrets' | 'clock' | 'chance'>,
  agentId: number,
  force: boolean,
): Promise<Agent | Refusal> {
  return ports.store.write((tx) => {
    const agent = tx.agentById(agentId);
    if (agent === undefined) return agentNotFound(agentId);
    if (!isLive(agent)) return refuseNotActive(agent);
    const run = runInFlightOf(tx, agentId);
    if (run !== undefined) {
      return {
        code: 'agent_in_handoff',
        sentence: `Agent ${agentId} takes part in handoff ${run.id} and cannot be stopped now`,
        hint: howToWait(run),
        runId: run.id,
        runStep: run.step,
      } as const;
    }
    const ref = `${shortUuid(agent)}-stop-${ports.chance.token(6)}`;
    enqueueEffects(tx, ports, [
      force ? { kind: 'end_agent', agentId } : { kind: 'type_exit', agentId, runId: null, ref },
    ]);
    raiseNotice(tx, ports, { type: 'agent_stop_asked', force }, { agentId, runId: null });
    return agent;
  });
}
