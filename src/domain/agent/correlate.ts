import type { SessionSource } from '../facts.ts';
import type { Agent } from './agent.ts';

/**
 * Does a hook that carries this agent's token speak for this agent? A nested agent inherits the environment, token
 * included, and must not be taken for its parent; `/clear` gives the same agent a new session id, announced by a
 * session start that says so; compaction keeps the id.
 */
export function speaksFor(
  agent: Pick<Agent, 'sessionUuid' | 'runtimeSessionId'>,
  sessionId: string,
  startedBy: SessionSource | null,
): boolean {
  const known = agent.runtimeSessionId ?? agent.sessionUuid;
  return sessionId === known || startedBy === 'clear' || startedBy === 'resume';
}
