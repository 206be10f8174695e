import type { SessionSource } from '../facts.ts';
import { type Agent, isLive } from './agent.ts';

export interface Speaker {
  readonly sessionId: string;
  /** How the session started, if the hook reports the start of a session; null for all other hooks. */
  readonly startedBy: SessionSource | null;
  readonly clientPid: number | null;
  /**
   * Whether the process that ran the hook belongs to the agent's pane. Set only for clients with a control API, because
   * the server process of such a client runs the hooks and may be restarted with a new pid.
   */
  readonly isInPane?: boolean;
  /**
   * True if the client, not Baton, chooses the session id. The first session that such a client reports is the agent's
   * session.
   */
  readonly idByClient?: boolean;
}

/**
 * Returns whether a hook that carries this agent's token was sent by this agent. A nested agent, which was started
 * inside this agent, inherits the token but runs its hooks in another process. While this agent is live, hooks of its
 * own process are normally accepted even with an unknown session id.
 */
export function speaksFor(
  agent: Pick<Agent, 'state' | 'sessionUuid' | 'runtimeSessionId' | 'resumesSession' | 'clientPid' | 'adoption'>,
  { sessionId, startedBy, clientPid, isInPane, idByClient }: Speaker,
): boolean {
  // No hook can revive an adopted agent that has ended, because Baton did not start its process.
  if (agent.adoption !== undefined && !isLive(agent)) return false;
  if (agent.clientPid !== null && clientPid !== agent.clientPid)
    return isInPane === true && sessionId === agent.runtimeSessionId;
  const hasProcess = isLive(agent) && agent.clientPid !== null;
  if (idByClient && agent.runtimeSessionId === null)
    return agent.resumesSession === null || agent.resumesSession === sessionId;
  const known = agent.runtimeSessionId ?? agent.sessionUuid;
  return sessionId === known || startedBy === 'clear' || startedBy === 'resume' || (hasProcess && startedBy === null);
}
