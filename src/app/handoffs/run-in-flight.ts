import type { Agent } from '../../domain/agents/agent.ts';
import { wentOnIn } from '../../domain/agents/resume.ts';
import { isUnreceived } from '../../domain/handoffs/request.ts';
import type { Run } from '../../domain/handoffs/run.ts';
import type { Tx } from '../ports/store.ts';

/** Returns the run in flight in which this agent is the outgoing agent or the successor. */
export const runInFlightOf = (tx: Tx, agentId: number): Run | undefined => tx.runsInFlightOf(agentId)[0];

/**
 * Returns the failed run that made this agent a successor, if the agent has not acknowledged the document of that run.
 * Returns undefined if that run cannot continue any more (SPEC H35), for example because a newer run exists or the
 * predecessor's conversation was resumed.
 */
export function unreceivedBy(tx: Tx, agent: Agent): Run | undefined {
  const { id, previousAgentId } = agent;
  const run = previousAgentId === null ? undefined : tx.runsOfAgent(previousAgentId).at(-1);
  if (run === undefined || !isUnreceived(run, agent) || tx.runsOfAgent(id).length > 0) return undefined;
  return wentOnIn(tx.successorsOf(run.agentId)) === undefined ? run : undefined;
}
