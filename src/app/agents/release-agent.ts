import { type Agent, isLive } from '../../domain/agents/agent.ts';
import { agentNotFound } from '../../domain/agents/refuse-unreachable.ts';
import { howToWait } from '../../domain/handoffs/run.ts';
import type { Refusal } from '../../domain/refusals.ts';
import { ADOPTABLE_HOOKS } from '../../domain/sessions/external-session.ts';
import { type FactPorts, recordFact } from '../engine/record-facts.ts';
import { runInFlightOf } from '../handoffs/run-in-flight.ts';
import type { Ports } from '../ports/index.ts';
import type { Tx } from '../ports/store.ts';

/**
 * Releases an adopted session. The session keeps running, but Baton no longer types into it and no longer reads its
 * hooks.
 */
export function releaseAgent(ports: FactPorts & Pick<Ports, 'store'>, agentId: number): Promise<Agent | Refusal> {
  return ports.store.write((tx): Agent | Refusal => {
    const agent = tx.agentById(agentId);
    if (agent === undefined) return agentNotFound(agentId);
    if (agent.adoption === undefined) {
      return {
        code: 'agent_not_adopted',
        sentence: `Agent ${agentId} was started by Baton; only adopted sessions can be released`,
        ...(isLive(agent) ? { hint: `Stop the agent instead: baton agent stop ${agentId}` } : {}),
      };
    }
    if (!isLive(agent))
      return {
        code: 'agent_not_active',
        sentence: `Agent ${agentId} is already ${agent.state} (${agent.stateReason})`,
      };
    const run = runInFlightOf(tx, agentId);
    if (run !== undefined) {
      return {
        code: 'agent_in_handoff',
        sentence: `Agent ${agentId} takes part in handoff ${run.id} and cannot be released now`,
        hint: howToWait(run),
        runId: run.id,
        runStep: run.step,
      };
    }
    saveExternalSession(tx, ports, agent);
    recordFact(tx, ports, { type: 'agent_released', agentId });
    return tx.agentById(agentId) ?? agent;
  });
}

/** Saves the session under its current id, so that the operator can adopt the session again. */
function saveExternalSession(tx: Tx, ports: Pick<Ports, 'clock'>, agent: Agent): void {
  const { pane, runtime, runtimeSessionId, transcriptPath, clientPid, projectId } = agent;
  if (pane?.outside === undefined || runtimeSessionId === null) return;
  tx.saveExternalSessionRow({
    runtime,
    sessionId: runtimeSessionId,
    folder: tx.projectById(projectId)?.path ?? null,
    transcriptPath,
    pid: clientPid,
    tmux: { socket: pane.outside.socket, pane: pane.paneId },
    hooks: ADOPTABLE_HOOKS,
    firstSeenAt: agent.startedAt,
    lastSeenAt: ports.clock.now(),
    endedAt: null,
  });
}
