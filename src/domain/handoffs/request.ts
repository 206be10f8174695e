import { type Agent, hasReachedThreshold, isLive } from '../agents/agent.ts';
import { refuseNoPane, refuseNotActive } from '../agents/refuse-unreachable.ts';
import { insteadOfHandoff } from '../limits/usage-limit.ts';
import type { RunsOn } from '../personas/runs-on.ts';
import { withoutControls } from '../plain-text.ts';
import { isRefusal, type Refusal } from '../refusals.ts';
import { autoOf } from './policy/auto-handoff.ts';
import { type Background, type Handoff, isOver, REASONS, type Reason, type Run } from './run.ts';

const MAX_NOTE = 2_000;

export interface HandoffRequest {
  /** The reason for the handoff, as the caller sent it. Baton validates it after all other checks (H1). */
  readonly reason: unknown;
  readonly note: string | undefined;
  /** Whether the operator wants to read the document before the agent is asked to exit. */
  readonly review?: boolean | undefined;
  readonly background?: Background | undefined;
  /**
   * The agent type that the operator chose for the successor, if any. The caller has already checked that Baton knows
   * this agent type.
   */
  readonly runsOn?: RunsOn | undefined;
}

export type Judged = Pick<Run, 'reason' | 'note' | 'review' | 'background' | 'runsOn'>;

function hintAbout(run: Run, agent: Agent): string {
  const { id, step, failure, broughtBackAgentId } = run;
  if (step === 'failed' && failure?.at === 'undoing')
    return `The undo of handoff ${id} failed. Finish the undo, so that Baton resumes the conversation of agent ${run.agentId}: baton handoff retry ${id}`;
  if (step === 'failed' && run.successorAgentId === agent.id)
    return isLive(agent)
      ? `Agent ${agent.id} has not got the document of agent ${run.agentId}, because handoff ${id} failed (${failure?.sentence ?? 'no sentence'}). Continue that handoff: baton handoff resume ${id}`
      : `Agent ${agent.id} has not acknowledged the document of agent ${run.agentId}. The document is kept. Start another successor with this document: baton handoff retry ${id}`;
  if (step === 'failed')
    return `Handoff ${id} failed after its document was recorded (${failure?.sentence ?? 'no sentence'}); the record is kept. Continue that handoff: baton handoff resume ${id}`;
  if (broughtBackAgentId !== null)
    return `Handoff ${id} was undone; to continue the conversation, Baton created agent ${broughtBackAgentId}. See: baton handoff show ${id}`;
  if (step === 'cancelled')
    return `Handoff ${id} was canceled after its document was recorded. Continue with a new document: baton handoff resume ${id}; or continue with the recorded document: baton handoff use-recorded ${id}`;
  if (step === 'completed') return `Handoff ${id} has already handed this agent off. See: baton handoff show ${id}`;
  const handoff =
    run.successorAgentId === agent.id ? `Handoff ${id} to agent ${agent.id}` : `Handoff ${id} of this agent`;
  return `${handoff} is in progress. Watch it with: baton handoff watch ${id}`;
}

/**
 * Checks whether an emergency handoff may begin (SPEC H44). A live agent is refused. The only exception is an agent
 * that cannot write a document because of its usage limit. Before refusing a live agent, checks for a record and a
 * persona: the refusal of a live agent suggests the usual handoff, which would fail these checks, too.
 */
export function validateEmergency(
  agent: Agent | Refusal,
  runs: readonly Run[],
  record: Handoff | undefined,
  request: HandoffRequest,
): Refusal | Judged {
  if (isRefusal(agent)) return agent;
  const blocking = blockingRun(runs);
  if (blocking !== undefined) return inProgress(blocking, agent);
  if (agent.adoption === 'released') {
    return {
      code: 'agent_still_active',
      sentence: `Agent ${agent.id} was released and continues without Baton`,
      hint: 'To hand off the agent, adopt its session again first; see: baton hooks status',
    };
  }
  if (record !== undefined) return alreadyRecorded(runs, record, agent);
  if (agent.personaId === null) {
    if (isLive(agent)) return noPersona(agent);
    return {
      code: 'agent_has_no_persona',
      sentence: 'Agent has no persona',
      hint: `The agent ended without a persona, so it cannot have a successor. Resume the conversation: baton agent resume ${agent.id}`,
    };
  }
  if (isLive(agent) && agent.state !== 'limited') {
    return {
      code: 'agent_still_active',
      sentence: `Agent ${agent.id} is still active, so it can write its handoff document itself`,
      hint: `Use: baton handoff ${agent.id}`,
    };
  }
  return validateWords(request);
}

const limited = (agent: Agent): Refusal => ({
  code: 'agent_limited',
  sentence: `Agent ${agent.id} is under a usage limit and cannot write a handoff document: ${agent.stateReason}`,
  hint: insteadOfHandoff(agent.id, agent.limit ?? null),
});

const noPersona = ({ id }: Agent): Refusal => ({
  code: 'agent_has_no_persona',
  sentence: 'Agent has no persona',
  hint: `Give the agent a persona: baton agent give-persona ${id} SLUG (see: baton persona list)`,
});

/**
 * Checks whether a handoff of this agent may begin. The order of the checks is part of the contract (SPEC H1): first an
 * existing run, then the agent's state, and last the reason for the handoff.
 */
export function validateRequest(
  agent: Agent | Refusal,
  runs: readonly Run[],
  record: Handoff | undefined,
  request: HandoffRequest,
): Refusal | Judged {
  if (isRefusal(agent)) return agent;
  const blocking = blockingRun(runs);
  if (blocking !== undefined) return inProgress(blocking, agent);
  if (!isLive(agent)) {
    const isSucceedable = record === undefined && agent.personaId !== null;
    const hint = `The agent is ${agent.state} (${agent.stateReason}). Start a successor from what Baton knows: baton handoff ${agent.id} --emergency`;
    return isSucceedable ? { ...refuseNotActive(agent), hint } : refuseNotActive(agent);
  }
  if (record !== undefined) return alreadyRecorded(runs, record, agent);
  if (agent.personaId === null) return noPersona(agent);
  if (agent.pane === null) return refuseNoPane(agent, 'type the handoff instruction');
  if (agent.state === 'limited') return limited(agent);
  return validateWords(request);
}

/**
 * True if the run failed after its handoff record was written, and the successor has ended or did not get the handoff
 * prompt. A live successor with the handoff prompt knows the document and may itself be handed off.
 */
export const isUnreceived = (run: Run, successor: Agent): boolean =>
  run.successorAgentId === successor.id &&
  run.step === 'failed' &&
  run.handoffId !== null &&
  run.acknowledgement === null &&
  (!isLive(successor) || run.failure?.at !== 'awaiting_acknowledgement');

/**
 * Returns the run that prevents a new run: a run in flight, or a run that failed after its handoff record was written
 * and must be resumed.
 */
const blockingRun = (runs: readonly Run[]): Run | undefined =>
  runs.find((run) => !isOver(run)) ?? runs.find((run) => run.step === 'failed' && run.handoffId !== null);

function alreadyRecorded(runs: readonly Run[], record: Handoff, agent: Agent): Refusal {
  const run = runs.find(({ handoffId }) => handoffId === record.id);
  return run === undefined
    ? { code: 'handoff_in_progress', sentence: 'Handoff already in progress' }
    : inProgress(run, agent);
}

function inProgress(run: Run, agent: Agent): Refusal {
  const hint = hintAbout(run, agent);
  return {
    code: 'handoff_in_progress',
    sentence: 'Handoff already in progress',
    hint,
    runId: run.id,
    runStep: run.step,
  };
}

/**
 * Returns the reason for a handoff if the request gives no reason. The reason is `task_boundary` if the agent asked for
 * the handoff before its context use reached the threshold. In every other case, the reason is `context_limit`.
 */
export const usualReason = (agent: Agent, handoffAtPercent: number): Reason =>
  autoOf(agent).request !== null && !hasReachedThreshold(agent, handoffAtPercent) ? 'task_boundary' : 'context_limit';

function validateWords({ reason, note, review, background = 'stop', runsOn }: HandoffRequest): Refusal | Judged {
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
  const wish = runsOn === undefined ? {} : { runsOn };
  return {
    reason: known,
    note: text === '' ? null : text,
    review: review ? 'wanted' : 'not_wanted',
    background,
    ...wish,
  };
}
