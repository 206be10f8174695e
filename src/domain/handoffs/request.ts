import { type Agent, isLive } from '../agents/agent.ts';
import { refuseNoPane, refuseNotActive } from '../agents/refuse-unreachable.ts';
import { withoutControls } from '../plain-text.ts';
import type { Refusal } from '../refusals.ts';
import { type Background, type Handoff, isOver, REASONS, type Run } from './run.ts';

const MAX_NOTE = 2_000;

export interface HandoffRequest {
  /** The caller's input, not validated yet. It is checked last (H1). */
  readonly reason: unknown;
  readonly note: string | undefined;
  /** Whether the operator wants to read the document before the agent is asked to exit. */
  readonly review?: boolean | undefined;
  readonly background?: Background | undefined;
}

export type Judged = Pick<Run, 'reason' | 'note' | 'review' | 'background'>;

function hintAbout({ id, step, failure, broughtBackAgentId }: Run): string {
  if (step === 'failed')
    return `Run ${id} failed after its document was recorded (${failure?.sentence ?? 'no sentence'}); the record is kept. Continue it: baton handoff resume ${id}`;
  if (broughtBackAgentId !== null)
    return `Run ${id} was undone: its conversation was to continue as agent ${broughtBackAgentId}. See: baton handoff show ${id}`;
  if (step === 'cancelled')
    return `Run ${id} was cancelled with its record. Continue with a new document: baton handoff resume ${id}; with the recorded one: baton handoff use-recorded ${id}`;
  if (step === 'completed') return `Run ${id} has already handed this agent off. See: baton handoff show ${id}`;
  return `Run ${id} is at step ${step}. Watch it with: baton handoff watch ${id}`;
}

/** Checks if an emergency handoff may begin (SPEC H44). The order is that of H1, but the agent must not be live. */
export function validateEmergency(
  agent: Agent | undefined,
  runs: readonly Run[],
  record: Handoff | undefined,
  request: HandoffRequest,
): Refusal | Judged {
  if (agent === undefined) return { code: 'agent_not_found', sentence: 'Agent not found' };
  const blocking = blockingRun(runs);
  if (blocking !== undefined) return inProgress(blocking);
  if (agent.adoption === 'released') {
    return {
      code: 'agent_still_active',
      sentence: `Agent ${agent.id} was released and continues without Baton`,
      hint: 'Adopt it again before you hand it off: baton hooks status',
    };
  }
  if (isLive(agent)) {
    return {
      code: 'agent_still_active',
      sentence: `Agent ${agent.id} is still active, so it can write its handoff document itself`,
      hint: `Use: baton handoff ${agent.id}`,
    };
  }
  if (record !== undefined) return alreadyRecorded(runs, record);
  if (agent.personaId === null)
    return {
      code: 'agent_has_no_persona',
      sentence: 'Agent has no persona',
      hint: `It ended without one, so it cannot have a successor. Resume its conversation: baton agent resume ${agent.id}`,
    };
  return validateWords(request);
}

const noPersona = ({ id }: Agent): Refusal => ({
  code: 'agent_has_no_persona',
  sentence: 'Agent has no persona',
  hint: `Give it one: baton agent give-persona ${id} SLUG (see: baton persona list)`,
});

/**
 * Checks if a handoff of this agent may begin. The order of the checks is part of the contract (SPEC H1): an existing
 * run is reported before the agent's state, and a wrong reason last.
 */
export function validateRequest(
  agent: Agent | undefined,
  runs: readonly Run[],
  record: Handoff | undefined,
  request: HandoffRequest,
): Refusal | Judged {
  if (agent === undefined) return { code: 'agent_not_found', sentence: 'Agent not found' };
  const blocking = blockingRun(runs);
  if (blocking !== undefined) return inProgress(blocking);
  if (!isLive(agent)) {
    const isSucceedable = record === undefined && agent.personaId !== null;
    const hint = `It is ${agent.state} (${agent.stateReason}). Start a successor from what Baton knows: baton handoff ${agent.id} --emergency`;
    return isSucceedable ? { ...refuseNotActive(agent), hint } : refuseNotActive(agent);
  }
  if (record !== undefined) return alreadyRecorded(runs, record);
  if (agent.personaId === null) return noPersona(agent);
  if (agent.pane === null) return refuseNoPane(agent, 'type the handoff instruction');
  return validateWords(request);
}

/** The run that prevents a new one: a run in flight, or a run that failed after its record and must be resumed. */
const blockingRun = (runs: readonly Run[]): Run | undefined =>
  runs.find((run) => !isOver(run)) ?? runs.find((run) => run.step === 'failed' && run.handoffId !== null);

function alreadyRecorded(runs: readonly Run[], record: Handoff): Refusal {
  const run = runs.find(({ handoffId }) => handoffId === record.id);
  return run === undefined ? { code: 'handoff_in_progress', sentence: 'Handoff already in progress' } : inProgress(run);
}

function inProgress(run: Run): Refusal {
  const hint = hintAbout(run);
  return {
    code: 'handoff_in_progress',
    sentence: 'Handoff already in progress',
    hint,
    runId: run.id,
    runStep: run.step,
  };
}

function validateWords({ reason, note, review, background = 'stop' }: HandoffRequest): Refusal | Judged {
  const wanted = reason ?? 'context_limit';
  const known = REASONS.find((each) => each === wanted);
  if (known === undefined) {
    const given = typeof wanted === 'string' ? wanted : (JSON.stringify(wanted) ?? String(wanted));
    return { code: 'unknown_reason', sentence: `Unknown reason "${given.slice(0, 60)}": use ${REASONS.join(', ')}` };
  }
  const text = withoutControls(note ?? '').trim();
  if (text.length > MAX_NOTE) {
    return {
      code: 'note_too_long',
      sentence: `The note has ${text.length} characters; at most ${MAX_NOTE} are allowed`,
    };
  }
  return { reason: known, note: text === '' ? null : text, review: review ? 'wanted' : 'not_wanted', background };
}
