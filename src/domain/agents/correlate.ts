import type { SessionSource } from '../facts.ts';
import { type Agent, isLive } from './agent.ts';

export interface Speaker {
  readonly sessionId: string;
  /** Set for the hook of a session start. */
  readonly startedBy: SessionSource | null;
  readonly clientPid: number | null;
}

/**
 * Does a hook with this agent's token come from this agent? A nested agent inherits the environment, token included; it
 * is recognized by its process, whatever session id it reports. Every hook of the agent's own process is accepted:
 * `/clear` gives it a new session id, and the session start that reports it may be lost. A resumed conversation is
 * another agent with its own token.
 */
export function speaksFor(
  agent: Pick<Agent, 'state' | 'sessionUuid' | 'runtimeSessionId' | 'clientPid' | 'adoption'>,
  { sessionId, startedBy, clientPid }: Speaker,
): boolean {
  // Baton did not start an adopted agent, so no hook can revive it.
  if (agent.adoption !== undefined && !isLive(agent)) return false;
  if (agent.clientPid !== null && clientPid !== agent.clientPid) return false;
  const hasProcess = isLive(agent) && agent.clientPid !== null;
  const known = agent.runtimeSessionId ?? agent.sessionUuid;
  return sessionId === known || startedBy === 'clear' || startedBy === 'resume' || (hasProcess && startedBy === null);
}
