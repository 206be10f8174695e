import type { Refusal } from '../refusals.ts';
import { ADOPTABLE_HOOKS, type ExternalSession } from '../sessions/external-session.ts';
import type { Agent } from './agent.ts';

export const externalSessionNotFound = (sessionId: string): Refusal => ({
  code: 'candidate_not_found',
  sentence: `Baton knows no session "${sessionId.slice(0, 80)}" that you started yourself`,
  hint: 'List the sessions that Baton knows: baton hooks status',
});

export const alreadyAdopted = ({ sessionId }: ExternalSession, agent: Agent): Refusal => ({
  code: 'already_adopted',
  sentence: `Session ${sessionId} is already agent ${agent.id}`,
  hint: `See the agent: baton agent show ${agent.id}`,
});

/**
 * Checks whether a session can be adopted, as far as Baton can tell without inspecting the session's terminal. `later`
 * is a newer session of the same process.
 */
export function refuseAdoption(
  session: ExternalSession,
  alive: boolean,
  later: ExternalSession | undefined,
): Refusal | undefined {
  const { sessionId, tmux, hooks = 1, folder } = session;
  const gone = (why: string): Refusal => ({
    code: 'candidate_gone',
    sentence: `Session ${sessionId} cannot be adopted: ${why}`,
    hint: 'List the sessions that run: baton hooks status',
  });
  if (!alive) return gone('it has ended');
  if (later !== undefined) return gone(`it continues as session ${later.sessionId}`);
  if (tmux === null) {
    return {
      code: 'candidate_not_in_tmux',
      sentence: `Session ${sessionId} does not run in tmux, so Baton cannot see its screen or type into it`,
      hint: 'End the session, and resume the same conversation inside tmux.',
    };
  }
  if (hooks < ADOPTABLE_HOOKS) {
    return {
      code: 'candidate_hooks_old',
      sentence: `Session ${sessionId} was started with old hooks that report only its start and its end, so Baton would not see what it does`,
      hint: 'Run: baton hooks install. Then end the session and resume the same conversation in a new session.',
    };
  }
  return folder === null ? gone('it did not report its working folder') : undefined;
}
