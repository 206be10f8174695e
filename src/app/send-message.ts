import { isLive } from '../domain/agent/agent.ts';
import { withoutControls } from '../domain/plain-text.ts';
import type { Refusal } from '../domain/refusals.ts';
import type { DeliveryOutcome } from './ports/terminal.ts';
import type { Ports } from './world.ts';

const WAIT_READY_MS = 3_000;

/** The operator says something to an agent. A handoff owns its agents while it runs: nobody types in between. */
export async function sendMessage(ports: Ports, agentId: number, text: string): Promise<DeliveryOutcome | Refusal> {
  const { agent, run } = ports.store.read((tx) => ({
    agent: tx.agentById(agentId),
    run: tx.runsInFlight().find((each) => each.agentId === agentId || each.successorAgentId === agentId),
  }));
  if (withoutControls(text).trim() === '')
    return { code: 'bad_request', sentence: 'There is nothing to type: the message is empty' };
  if (agent === undefined) return { code: 'agent_not_found', sentence: 'Agent not found' };
  if (!isLive(agent)) return { code: 'agent_not_active', sentence: 'Agent is not active' };
  if (agent.pane === null)
    return { code: 'agent_has_no_pane', sentence: 'Agent has no tmux pane, so Baton cannot type to it' };
  if (run !== undefined) {
    return {
      code: 'agent_in_handoff',
      sentence: `Agent ${agentId} takes part in handoff run ${run.id} (${run.step}); nothing was typed`,
      runId: run.id,
      runStep: run.step,
    };
  }
  const reader = ports.runtimes.get(agent.runtime);
  if (reader === undefined) return { code: 'runtime_unknown', sentence: `Runtime "${agent.runtime}" is not known` };
  const id = `message-${ports.chance.token(12).toLowerCase()}`;
  return ports.terminal.deliver(agent.pane, { id, kind: 'prompt', text, reader, waitReadyMs: WAIT_READY_MS });
}
