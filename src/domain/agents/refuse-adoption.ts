import type { Refusal } from '../refusals.ts';
import { ADOPTABLE_HOOKS, type Candidate } from '../sessions/external-session.ts';
import type { Agent } from './agent.ts';

export const candidateNotFound = (sessionId: string): Refusal => ({
  code: 'candidate_not_found',
  sentence: `No session "${sessionId.slice(0, 80)}" that you started yourself is known`,
  hint: 'See which are: baton hooks status',
});

export const alreadyAdopted = ({ sessionId }: Candidate, agent: Agent): Refusal => ({
  code: 'already_adopted',
  sentence: `Session ${sessionId} is agent ${agent.id} already`,
  hint: `See it: baton agent show ${agent.id}`,
});

/** The checks that do not need its terminal. `later`: a newer session of the same process. */
export function refuseAdoption(
  candidate: Candidate,
  alive: boolean,
  later: Candidate | undefined,
): Refusal | undefined {
  const { sessionId, tmux, hooks = 1, folder } = candidate;
  const gone = (why: string): Refusal => ({
    code: 'candidate_gone',
    sentence: `Session ${sessionId} cannot be adopted: ${why}`,
    hint: 'See which sessions run: baton hooks status',
  });
  if (!alive) return gone('it has ended');
  if (later !== undefined) return gone(`it goes on as session ${later.sessionId}`);
  if (tmux === null) {
    return {
      code: 'candidate_not_in_tmux',
      sentence: `Session ${sessionId} does not run in tmux, so Baton could neither see its screen nor type into it`,
      hint: 'End it, and go on with the same conversation inside tmux.',
    };
  }
  if (hooks < ADOPTABLE_HOOKS) {
    return {
      code: 'candidate_hooks_old',
      sentence: `Session ${sessionId} was started with hooks that tell only its beginning and its end, so Baton would not hear what it does`,
      hint: 'Run: baton hooks install. Then end the session and go on with the same conversation in a new one.',
    };
  }
  return folder === null ? gone('it did not say in which folder it works') : undefined;
}
