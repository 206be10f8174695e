import { isLive } from '../agents/agent.ts';
import { agentLabel } from '../agents/apply-fact.ts';
import { adviceFor } from './actions.ts';
import { LEFT_RUNNING, without } from './outgoing-steps.ts';
import { BEFORE_EXIT, type Failure, type Run } from './run.ts';
import type { RunContext } from './step-rule.ts';

/**
 * Returns the failure of a run with a sentence that is true now. If the agent has ended since the failure, the stored
 * sentence may wrongly say that the agent was left running, and the stored hint may suggest asking the agent again.
 */
export function failureNow(run: Run, world: RunContext): Failure | null {
  const { failure } = run;
  if (failure === null) return null;
  const { agent, identity, newerRunId } = world;
  const later =
    newerRunId === null ? undefined : `Handoff ${newerRunId} came later. See: baton handoff show ${newerRunId}`;
  const isTrueStill = isLive(agent) || !BEFORE_EXIT.has(failure.at) || run.handoffId !== null;
  // Keep a sentence that contains the reason for the agent's end: it already says that the agent is gone.
  if (isTrueStill || failure.sentence.includes(agent.stateReason)) {
    return { ...failure, hint: later ?? adviceFor(run, world) };
  }
  const who = agentLabel(agent, identity.persona.name);
  const then = failure.sentence.replace(` ${LEFT_RUNNING}`, '');
  const now = agent.state === 'lost' ? 'was lost since then' : 'has ended since then';
  return {
    ...failure,
    sentence: `${then} ${who} ${now}: ${agent.stateReason}.`,
    hint: later ?? without(run, { agent }),
  };
}
