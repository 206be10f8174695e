import type { SessionSource } from '../facts.ts';
import { type Agent, isLive } from './agent.ts';

export interface Speaker {
  readonly sessionId: string;
  /** How the session started, if the hook reports a session start; null for all other hooks. */
  readonly startedBy: SessionSource | null;
  readonly clientPid: number | null;
}

/**
 * Returns whether a hook with this agent's token comes from this agent. A nested agent inherits the token with the
 * environment, but its hooks come from another process. Every hook of the agent's own process is accepted, because
 * `/clear` changes the session id and the hook that reports the new id may be lost. A resumed conversation is another
 * agent with its own token.
 */
export function speaksFor(
  agent: Pick<Agent, 'state' | 'sessionUuid' | 'runtimeSessionId' | 'clientPid' | 'adoption'>,
  { sessionId, startedBy, clientPid }: Speaker,
): boolean {
  // No hook can revive an ended adopted agent, because Baton did not start its process.
  if (agent.adoption !== undefined && !isLive(agent)) return false;
  if (agent.clientPid !== null && clientPid !== agent.clientPid) return false;
  const hasProcess = isLive(agent) && agent.clientPid !== null;
  const known = agent.runtimeSessionId ?? agent.sessionUuid;
  return sessionId === known || startedBy === 'clear' || startedBy === 'resume' || (hasProcess && startedBy === null);
}
