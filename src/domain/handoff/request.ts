import { type Agent, isLive } from '../agent/agent.ts';
import { withoutControls } from '../plain-text.ts';
import type { Refusal } from '../refusals.ts';
import { type Handoff, isOver, REASONS, type Reason, type Run } from './run.ts';

const LONGEST_NOTE = 2_000;

export interface HandoffRequest {
  readonly reason: string | undefined;
  readonly note: string | undefined;
}

/**
 * May a handoff of this agent begin? The order of the questions is part of the contract (SPEC H1): the operator is
 * told about a run that exists before anything about the agent's state, and about the reason last.
 */
export function judgeRequest(
  agent: Agent | undefined,
  runs: readonly Run[],
  record: Handoff | undefined,
  request: HandoffRequest,
): Refusal | { readonly reason: Reason; readonly note: string | null } {
  if (agent === undefined) return { code: 'agent_not_found', sentence: 'Agent not found' };
  const blocking =
    runs.find((run) => !isOver(run)) ?? runs.find((run) => run.step === 'failed' && run.handoffId !== null);
  if (blocking !== undefined) return inProgress(blocking);
  if (!isLive(agent)) return { code: 'agent_not_active', sentence: 'Agent is not active' };
  if (record !== undefined) return { code: 'handoff_in_progress', sentence: 'Handoff already in progress' };
  if (agent.personaId === null) return { code: 'agent_has_no_persona', sentence: 'Agent has no persona' };
  if (agent.pane === null) {
    return {
      code: 'agent_has_no_pane',
      sentence: 'Agent has no tmux pane, so Baton cannot type the handoff instruction',
    };
  }
  return judgeWords(request);
}

function inProgress(run: Run): Refusal {
  const hint =
    run.step === 'failed'
      ? `Run ${run.id} failed after its document was recorded (${run.failure?.sentence ?? 'no sentence'}); the record is kept.`
      : `Run ${run.id} is at step ${run.step}. Watch it with: baton run show ${run.id} --watch`;
  return {
    code: 'handoff_in_progress',
    sentence: 'Handoff already in progress',
    hint,
    runId: run.id,
    runStep: run.step,
  };
}

function judgeWords({ reason, note }: HandoffRequest): Refusal | { reason: Reason; note: string | null } {
  const wanted = reason ?? 'context_limit';
  const known = REASONS.find((each) => each === wanted);
  if (known === undefined) {
    return { code: 'unknown_reason', sentence: `Unknown reason "${wanted.slice(0, 60)}": use ${REASONS.join(', ')}` };
  }
  const text = withoutControls(note ?? '').trim();
  if (text.length > LONGEST_NOTE) {
    return {
      code: 'note_too_long',
      sentence: `The note has ${text.length} characters; at most ${LONGEST_NOTE} are allowed`,
    };
  }
  return { reason: known, note: text === '' ? null : text };
}
