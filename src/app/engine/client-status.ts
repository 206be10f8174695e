import { type Agent, agentProcess } from '../../domain/agents/agent.ts';
import type { ClientStatus } from '../ports/agent-runtime.ts';
import type { Ports } from '../ports/index.ts';
import type { NotAtRest } from '../ports/terminal.ts';

/** Returns the status that the agent's client reports about itself; undefined for clients without a status. */
export async function clientStatus(ports: Ports, agent: Agent): Promise<ClientStatus | undefined> {
  const runtime = ports.runtimes.get(agent.runtime);
  if (runtime?.readStatus === undefined || agent.pane === null) return undefined;
  // The client may be a child of the process that was started in the pane, so try both.
  for (const pid of new Set([agent.clientPid, agentProcess(agent.pane)])) {
    const status = pid === null ? undefined : await runtime.readStatus(pid);
    if (status !== undefined) return status;
  }
  return undefined;
}

export const saysRest = ({ status }: ClientStatus): boolean => status === 'idle' || status === 'shell';

/** How long the client must report idle, because it also reports idle for a moment between two queued prompts. */
const STABLE_MS = 500;

/**
 * Returns a function, for one delivery, that says why the agent is not known to be idle. Call the function again until
 * it returns undefined.
 */
export function restDoubts(ports: Ports, agentId: number): () => Promise<NotAtRest | undefined> {
  let restsSince: number | undefined;
  return async () => {
    const agent = ports.store.read((tx) => tx.agentById(agentId));
    const status = agent && (await clientStatus(ports, agent));
    const doubt = agent && doubtOf(agent, status);
    if (status === undefined || doubt !== undefined) {
      restsSince = undefined;
      return doubt;
    }
    restsSince ??= ports.clock.monotonicMs();
    const isStable = ports.clock.monotonicMs() - restsSince >= STABLE_MS;
    return isStable ? undefined : { reason: 'busy', detail: 'its client became idle only a moment ago' };
  };
}

function doubtOf({ state, stateReason }: Agent, status: ClientStatus | undefined): NotAtRest | undefined {
  if (state === 'starting') return { reason: 'starting', detail: 'its session has not begun' };
  if (state === 'working') return { reason: 'busy', detail: 'the agent is working' };
  if (state === 'awaiting_input') return { reason: 'dialog', detail: `it waits for an answer: ${stateReason}` };
  if (state === 'unknown') return { reason: 'unknown', detail: `Baton cannot tell whether it is idle: ${stateReason}` };
  if (status === undefined || saysRest(status)) return undefined;
  return {
    reason: 'busy',
    detail: `its client reports that it ${status.status === 'busy' ? 'is working' : 'waits for an answer'}`,
  };
}
