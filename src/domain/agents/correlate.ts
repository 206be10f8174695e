import type { SessionSource } from '../facts.ts';
import { type Agent, isLive } from './agent.ts';

export interface Speaker {
  readonly sessionId: string;
  /** Set when it announces a session. */
  readonly startedBy: SessionSource | null;
  readonly clientPid: number | null;
}

/**
 * Does a hook that carries this agent's token speak for this agent? A nested agent inherits the environment, token
 * included, and must not be taken for its parent, whatever it calls its session: it is another process. Within the
 * agent's own process every hook is its own: `/clear` gives it a new session id, and the session start that says so may
 * be lost. A conversation that is resumed is another agent, with a token of its own.
 */
export function speaksFor(
  agent: Pick<Agent, 'state' | 'sessionUuid' | 'runtimeSessionId' | 'clientPid' | 'adoption'>,
  { sessionId, startedBy, clientPid }: Speaker,
): boolean {
  // It was never started by Baton, so nothing brings it back.
  if (agent.adoption !== undefined && !isLive(agent)) return false;
  if (agent.clientPid !== null && clientPid !== agent.clientPid) return false;
  const hasProcess = isLive(agent) && agent.clientPid !== null;
  const known = agent.runtimeSessionId ?? agent.sessionUuid;
  return sessionId === known || startedBy === 'clear' || startedBy === 'resume' || (hasProcess && startedBy === null);
}
