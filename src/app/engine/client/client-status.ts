import { type Agent, agentProcess, hasRested } from '../../../domain/agents/agent.ts';
import type { ClientStatus, ControlledSession, ControlStatus } from '../../ports/client-control.ts';
import type { Ports } from '../../ports/index.ts';
import type { NotAtRest } from '../../ports/terminal.ts';

/**
 * The status that a client reports. `byApi` is true if the client's control API reported the status; Baton can then
 * also deliver a prompt through that API.
 */
export type ReportedStatus = ControlStatus & { readonly byApi?: boolean };

/**
 * Returns the status that the agent's client reports about itself: from the control API if the API answers, otherwise
 * from the runtime's `readStatus`; undefined if the client reports none.
 */
export async function clientStatus(ports: Ports, agent: Agent): Promise<ReportedStatus | undefined> {
  const runtime = ports.runtimes.get(agent.runtime);
  if (agent.pane === null) return undefined;
  const told = await runtime?.control?.readStatus(controlledSession(ports, agent));
  if (told !== undefined) return { ...told, byApi: true };
  if (runtime?.readStatus === undefined) return undefined;
  // The client may be the process that was started in the pane, or a child of that process. So try two pids: the pid of
  // the client, and the pid of the process in the pane.
  for (const pid of new Set([agent.clientPid, agentProcess(agent.pane)])) {
    const status = pid === null ? undefined : await runtime.readStatus(pid);
    if (status !== undefined) return status;
  }
  return undefined;
}

export const controlledSession = (ports: Pick<Ports, 'files'>, agent: Agent): ControlledSession => ({
  agentId: agent.id,
  agentFolder: ports.files.agentFolder(agent.id),
  sessionId: agent.runtimeSessionId ?? agent.resumesSession,
  clientPid: agent.clientPid,
});

export const saysRest = ({ status }: ClientStatus): boolean => status === 'idle' || status === 'shell';

/**
 * Before Baton types, the client must be idle for this long, according to every status that it reports. A shorter time
 * is not enough, because a client is also idle for a moment between two queued prompts. Idle time before the delivery
 * began counts, too.
 */
const STABLE_MS = 500;

/**
 * Returns a function for one delivery. The caller calls this function repeatedly. While the agent does not count as
 * idle, the function returns the reason. Once the agent counts as idle, the function returns undefined.
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
    const restsMs = Math.max(ports.clock.monotonicMs() - restsSince, status.forMs ?? 0);
    if (restsMs >= STABLE_MS) return undefined;
    return { reason: 'busy', detail: 'the client became idle only a moment ago', forMs: STABLE_MS - restsMs };
  };
}

function doubtOf(agent: Agent, status: ClientStatus | undefined): NotAtRest | undefined {
  const { state, stateReason } = agent;
  if (state === 'starting') return { reason: 'starting', detail: "the agent's session has not begun" };
  if (state === 'limited' && !hasRested(agent))
    return { reason: 'busy', detail: `the client waits for the end of a usage limit: ${stateReason}` };
  if (state === 'working') return { reason: 'busy', detail: 'the agent is working' };
  if (state === 'awaiting_input') return { reason: 'dialog', detail: `the agent waits for an answer: ${stateReason}` };
  if (state === 'unknown')
    return { reason: 'unknown', detail: `Baton cannot tell whether the agent is idle: ${stateReason}` };
  if (status === undefined || saysRest(status)) return undefined;
  return {
    reason: 'busy',
    detail: `the client reports that the agent ${DOES[status.status] ?? 'is working'}`,
  };
}

const DOES: Readonly<Partial<Record<ClientStatus['status'], string>>> = {
  waiting: 'waits for an answer',
  retrying: 'retries after an error of its model',
};

/** True if the client reports that it is working. To retry a turn after an error of the model counts as working. */
export const saysWork = ({ status }: ClientStatus): boolean => status === 'busy' || status === 'retrying';
