import { isLive, isWithoutTerminal } from '../agents/agent.ts';
import { after } from '../instant.ts';
import { COPY_NOT_KEPT, recordOf } from './outgoing-steps.ts';
import { newDelivery, nudgeRef } from './prompts/prompt-delivery.ts';
import { type ActiveStep, BEFORE_EXIT, canBeCancelled, isOver, lacksRecord, type Run, type RunAction } from './run.ts';
import type { Move, RunContext } from './step-rule.ts';

/**
 * One action that the operator can choose for a run (SPEC H33, H35 to H43, H50 to H53). One table defines both when
 * Baton offers an action and how the action changes the run. So Baton accepts exactly the actions that it offers.
 */
export interface Offer {
  readonly action: RunAction;
  /** The text of the action's button, which says what the action does. */
  readonly title: string;
  /** The question that the operator must confirm before the action. Null if the action needs no confirmation. */
  readonly confirm: string | null;
}

interface Rule {
  readonly action: RunAction;
  /** Returns the text that offers the action to the operator; undefined if the action is not possible now. */
  readonly offer: (run: Run, world: RunContext) => Words | undefined;
  readonly move: (run: Run, world: RunContext) => Move;
}
type Words = string | { readonly title: string; readonly confirm: string };

const WITH_SUCCESSOR: ReadonlySet<string> = new Set([
  'creating_successor',
  'awaiting_registration',
  'injecting_skill',
  'delivering_prompt',
  'awaiting_acknowledgement',
]);
const ABOUT_THE_DOCUMENT: ReadonlySet<string> = new Set(['instructing', 'awaiting_document', 'verifying']);

/**
 * Returns the step at which the run halted. If a run was canceled after its handoff record had been written, it counts
 * as halted at the step `recorded`.
 */
function haltedAt(run: Run): ActiveStep | undefined {
  if (run.step === 'failed') return run.failure?.at;
  if (run.step !== 'cancelled' || run.broughtBackAgentId !== null) return undefined;
  return run.handoffId === null ? 'verifying' : 'recorded';
}

const isHalted = (run: Run, steps: ReadonlySet<string>): boolean => steps.has(haltedAt(run) ?? '');

const successorLives = (world: RunContext): boolean => world.successor !== null && isLive(world.successor);

/** Clears the failure when a halted run continues. The log still contains the failure. */
const again: Partial<Run> = { failure: null, retryAt: null, safePointDeadlineAt: null, lateDocument: false };

/**
 * Asks the agent to write a new document to a new path. The recorded document stays valid until Baton has verified the
 * new one. With the new path, Baton cannot mistake the old file for the new document.
 */
const askAfresh = (run: Run): Partial<Run> => ({
  ...askAgain(run),
  document: null,
  recordedDocument: run.recordedDocument ?? run.document,
  review: run.review === 'approved' ? 'wanted' : run.review,
  changedSince: null,
});

/**
 * Asks the agent for another document. If the agent's conversation was cleared (`/clear`) after the last document, sets
 * `clearedSinceInstruction`: the agent has forgotten the work that it must describe.
 */
const askAgain = (run: Run): Partial<Run> => ({
  ...anew(run),
  clearedSinceInstruction: run.clearedSinceInstruction || run.clearedSinceDocument,
});

const anew = (run: Run): Partial<Run> => ({ ...again, attempt: run.attempt + 1, delivery: null });

const WAITABLE: ReadonlySet<string> = new Set(['waiting_safe_point', 'awaiting_document']);

const STARTING: ReadonlySet<string> = new Set(['creating_successor', 'awaiting_registration', 'injecting_skill']);

/** Waits longer at the current step, or waits again at the step at which the run halted (SPEC H36). */
const wait: Rule = {
  action: 'wait',
  offer: (run, world) => {
    if (run.step === 'waiting_safe_point') return 'Wait longer for the agent to become idle';
    if (run.step !== 'failed') return undefined;
    if (WAITABLE.has(run.failure?.at ?? ''))
      return isLive(world.agent) ? 'Wait again at the step that timed out' : undefined;
    return STARTING.has(run.failure?.at ?? '') && successorLives(world) && world.successor?.priming.status !== 'failed'
      ? 'Wait longer for the successor'
      : undefined;
  },
  move: (run, world) => {
    if (run.step === 'failed') return { to: run.failure?.at ?? 'verifying', patch: again };
    const deadlineAt = after(world.now, world.deadlines.waiting_safe_point);
    return { patch: { deadlineAt, safePointDeadlineAt: deadlineAt } };
  },
};

/** Interrupts the working agent with Escape (SPEC H37). */
const interrupt: Rule = {
  action: 'interrupt',
  offer: (run, world) => {
    const waits = run.step === 'waiting_safe_point' || isHalted(run, new Set(['waiting_safe_point']));
    return waits && run.step !== 'cancelled' && world.agent.state === 'working'
      ? {
          title: 'Interrupt the agent',
          confirm:
            'This interrupts what the agent is doing now. A prompt that it had not started to answer may return to its composer (the input line). Send or delete that prompt in the composer, because the handoff waits until the composer is empty.',
        }
      : undefined;
  },
  move: (run) => {
    const effects = [{ kind: 'interrupt_agent', agentId: run.agentId, runId: run.id }] as const;
    return run.step === 'failed' ? { to: 'waiting_safe_point', patch: again, effects } : { effects };
  },
};

/**
 * True if the agent is idle, but Baton has seen neither a Stop nor a document (SPEC H51). The operator can then act at
 * once, without waiting for the deadline.
 */
export const restsWithout = (run: Run, { agent }: RunContext): boolean =>
  run.step === 'awaiting_document' && agent.state === 'idle';

/**
 * True if the agent may still be writing the document. Baton must not check the document yet, because the document may
 * still be incomplete.
 */
const isInTurn = (agent: RunContext['agent']): boolean =>
  agent.state === 'working' ||
  agent.state === 'unknown' ||
  (agent.state === 'awaiting_input' && !isWithoutTerminal(agent));

/** Checks for the document again (SPEC H38). */
const checkAgain: Rule = {
  action: 'check_again',
  offer: (run, world) => {
    if (restsWithout(run, world)) return 'Check for the document now';
    if (run.document !== null && lacksRecord(run) && isHalted(run, ABOUT_THE_DOCUMENT)) {
      if (isInTurn(world.agent) && !run.lateDocument) return undefined;
      return run.lateDocument ? 'Continue with the late document' : 'Check for the document again';
    }
    return run.step === 'failed' && run.failure?.at === 'delivering_prompt' && successorLives(world)
      ? 'Check again whether the prompt arrived'
      : undefined;
  },
  move: (run) =>
    run.failure?.at === 'delivering_prompt'
      ? { to: 'delivering_prompt', patch: again }
      : { to: 'verifying', patch: again },
};

/** True if the run failed without a document, so that the agent can be asked for the document again. */
export const lacksDocument = (run: Run): boolean =>
  run.step === 'failed' && run.document !== null && lacksRecord(run) && isHalted(run, ABOUT_THE_DOCUMENT);

const instructAgain: Rule = {
  action: 'instruct_again',
  offer: (run, world) =>
    (lacksDocument(run) && isLive(world.agent)) || restsWithout(run, world)
      ? 'Ask the agent for the document again'
      : undefined,
  move: (run) => ({ to: 'waiting_safe_point', patch: askAgain(run) }),
};

const adopt: Rule = {
  action: 'adopt',
  offer: (run) => (lacksDocument(run) ? 'Use a file that the agent wrote to another path' : undefined),
  move: () => ({ to: 'verifying', patch: again }),
};

/** Repeats the step at which the run failed (SPEC H39). */
const retry: Rule = {
  action: 'retry',
  offer: (run, world) => {
    const at = run.step === 'failed' ? run.failure?.at : undefined;
    if (at === undefined) return undefined;
    if (at === 'requested') return 'Prepare the document path again';
    if (at === 'recorded') return 'Check again whether a successor can start, and continue';
    if (at === 'undoing') return 'Try again to undo the handoff';
    if (at === 'shutting_down') {
      if (world.agent.state === 'lost') return LOST;
      return isLive(world.agent) ? 'Type the exit command again' : 'Continue: the agent has ended';
    }
    if (!WITH_SUCCESSOR.has(at)) return undefined;
    if (!successorLives(world)) return 'Start another successor';
    if (at === 'injecting_skill') return 'Give the successor its skill again';
    return at === 'delivering_prompt' || at === 'awaiting_acknowledgement'
      ? 'Type the handoff prompt again'
      : undefined;
  },
  move: (run, world) => {
    const at = run.failure?.at ?? 'recorded';
    if (at === 'shutting_down' && world.agent.state === 'lost')
      return { to: 'shutting_down', patch: { ...anew(run), lostCountsAsGone: true } };
    if (at === 'recorded') return { to: at, patch: again, ...staleness(run, world) };
    if (!WITH_SUCCESSOR.has(at)) return { to: at, patch: at === 'shutting_down' ? anew(run) : again };
    if (!successorLives(world)) return { to: 'creating_successor', patch: { ...anew(run), successorAgentId: null } };
    if (at === 'injecting_skill') return { to: at, patch: anew(run), writes: [{ kind: 'prime_successor_again' }] };
    if (at === 'awaiting_acknowledgement') return { to: 'delivering_prompt', patch: anew(run) };
    return { to: at, patch: anew(run) };
  },
};

/**
 * True if the successor ended its turn without an acknowledgment (SPEC H55). The operator can then act at once, without
 * waiting for the deadline.
 */
export const endedUnacknowledged = (run: Run, { successor }: RunContext): boolean =>
  run.step === 'awaiting_acknowledgement' && run.delivery?.isOverUnacknowledged === true && successor?.state === 'idle';

/**
 * True if the successor has the handoff prompt but has not acknowledged it. In addition, the successor's turn must be
 * over, or the run must have failed.
 */
const owesAcknowledgment = (run: Run, world: RunContext): boolean =>
  endedUnacknowledged(run, world) ||
  (run.step === 'failed' && run.failure?.at === 'awaiting_acknowledgement' && successorLives(world));

/**
 * Completes the run without an acknowledgment (SPEC H50). This action is possible only if the successor has the prompt.
 */
const accept: Rule = {
  action: 'accept',
  offer: (run, world) =>
    owesAcknowledgment(run, world) ? 'Finish without an acknowledgment: the successor has the prompt' : undefined,
  move: () => ({ to: 'completed', patch: again }),
};

/** Sends the successor one reminder, and waits again for the acknowledgment (SPEC H55). */
const nudge: Rule = {
  action: 'nudge',
  offer: (run, world) =>
    owesAcknowledgment(run, world) ? 'Remind the successor to acknowledge the handoff' : undefined,
  move: (run) => remind(run, null),
};

/** Sends the successor a text of the operator, and waits again for the acknowledgment (SPEC H55). */
const message: Rule = {
  action: 'message',
  offer: (run, world) => (owesAcknowledgment(run, world) ? 'Send the successor a message' : undefined),
  move: (run) => remind(run, run.nudge?.said ?? null),
};

function remind(run: Run, said: string | null): Move {
  const reminded = { ...run, nudge: { count: (run.nudge?.count ?? 0) + 1, said } };
  const ref = nudgeRef(reminded);
  return {
    ...(run.step === 'failed' ? { to: 'awaiting_acknowledgement' as const } : { rearm: true }),
    patch: { ...again, nudge: reminded.nudge, delivery: newDelivery(ref) },
    effects:
      run.successorAgentId === null
        ? []
        : [{ kind: 'type_nudge', agentId: run.successorAgentId, runId: run.id, ref } as const],
  };
}

const LOST = {
  title: 'Start the successor although Baton cannot see the old process',
  confirm: 'If the old process still runs somewhere, two agents will work on the same project.',
};

/**
 * Kills the pane of an agent that does not exit (SPEC H40). Kills only the outgoing agent or the successor of this run.
 */
const forceExit: Rule = {
  action: 'force_exit',
  offer: (run, world) => {
    const at = run.step === 'failed' ? run.failure?.at : run.step;
    if (at === 'shutting_down' && isLive(world.agent))
      return {
        title: 'Kill the agent',
        confirm: "Baton kills the process of the agent without asking it to exit. The agent's document is kept.",
      };
    return run.step === 'failed' && WITH_SUCCESSOR.has(at ?? '') && successorLives(world)
      ? {
          title: 'Kill the successor',
          confirm: 'Baton kills the process of the successor. You can then start another successor.',
        }
      : undefined;
  },
  move: (run) => {
    const at = run.step === 'failed' ? run.failure?.at : run.step;
    if (at !== 'shutting_down') return { effects: endAgent(run.successorAgentId) };
    return {
      ...(run.step === 'failed' ? { to: 'shutting_down' as const, patch: anew(run) } : {}),
      effects: endAgent(run.agentId),
    };
  },
};

const endAgent = (agentId: number | null) => (agentId === null ? [] : [{ kind: 'end_agent', agentId } as const]);

/** Approves the document after a review (SPEC H42). */
const approve: Rule = {
  action: 'approve',
  offer: (run, world) => {
    if (run.step !== 'recorded' || run.review !== 'wanted') return undefined;
    return isLive(world.agent)
      ? 'Approve the document; Baton then asks the agent to exit'
      : 'Approve the document; Baton then starts the successor';
  },
  // The run goes back to the beginning of the step `recorded`, where Baton checks once more that a successor can start.
  move: () => ({ to: 'recorded', patch: { review: 'approved' } }),
};

/** Sends the document back to its author with a comment (SPEC H52). */
const sendBack: Rule = {
  action: 'send_back',
  offer: (run, world) =>
    approve.offer(run, world) !== undefined && isLive(world.agent)
      ? 'Send the document back with a comment, so that the agent rewrites it'
      : undefined,
  move: (run) => ({ to: 'requested', patch: askAfresh(run) }),
};

/** Cancels the run before the agent is asked to exit (SPEC H33). */
const cancel: Rule = {
  action: 'cancel',
  offer: (run, world) => {
    if (!canBeCancelled(run)) return undefined;
    const title = isLive(world.agent) ? 'Cancel the handoff and leave the agent as it is' : 'Cancel the handoff';
    return run.handoffId === null ? title : `${title}; the document and its record are kept`;
  },
  move: () => ({ to: 'cancelled', patch: { failure: null } }),
};

/**
 * True if an undo has failed (SPEC H43). The undo started an agent to continue the predecessor's conversation, but this
 * agent ended before its session began.
 */
export const didNotComeBack = ({ broughtBack }: RunContext): boolean =>
  broughtBack !== null && broughtBack.registeredAt === null && !isLive(broughtBack);

/**
 * Continues a halted run (SPEC H41). If the run has a handoff record, chooses the action that fits the state of the
 * run. If the run was canceled before it had a record, starts the handoff again.
 */
const resume: Rule = {
  action: 'resume',
  offer: (run, world) => {
    if (isCancelledEarly(run)) return isLive(world.agent) ? 'Start the handoff again' : undefined;
    if (run.handoffId === null || !isOver(run) || run.step === 'completed') return undefined;
    if (didNotComeBack(world)) return 'Start another successor: the predecessor could not be resumed';
    if (run.step === 'cancelled') {
      if (!isHalted(run, BEFORE_EXIT)) return undefined;
      return isLive(world.agent)
        ? 'Ask the agent for a new document and continue with it'
        : 'Continue with the recorded document';
    }
    return wayOn(run, world)?.offer(run, world);
  },
  move: (run, world) => {
    if (isCancelledEarly(run)) return { to: 'requested', patch: { ...askAfresh(run), recordedDocument: null } };
    if (didNotComeBack(world))
      return { to: 'recorded', patch: { ...anew(run), successorAgentId: null, broughtBackAgentId: null } };
    if (run.step === 'cancelled')
      return isLive(world.agent) ? { to: 'requested', patch: askAfresh(run) } : useRecorded.move(run, world);
    return wayOn(run, world)?.move(run, world) ?? {};
  },
};

/**
 * True if the run was canceled before it had a handoff record (SPEC H41). Such a run cannot continue, but the operator
 * can start the handoff again.
 */
const isCancelledEarly = (run: Run): boolean =>
  run.step === 'cancelled' && run.handoffId === null && run.broughtBackAgentId === null;

/**
 * Returns the action that continues a failed run. Prefers an action that repeats the failed step. Uses the recorded
 * document only if no step can be repeated.
 */
const wayOn = (run: Run, world: RunContext): Rule | undefined =>
  [retry, instructAgain, wait, useRecorded].find(({ offer }) => offer(run, world) !== undefined);

/**
 * Continues with the recorded document (SPEC H53). If the agent did more work after it wrote the document, the operator
 * and the successor get a note about that work.
 */
const useRecorded: Rule = {
  action: 'use_recorded',
  offer: (run, world) => {
    if (run.handoffId === null || run.emergency || run.broughtBackAgentId !== null) return undefined;
    const isBehindCancel = run.step === 'cancelled' && isLive(world.agent);
    const isWithoutFresh = run.step === 'failed' && run.recordedDocument !== null;
    if (!isBehindCancel && !isWithoutFresh) return undefined;
    return {
      title: 'Continue with the recorded document',
      confirm:
        'The recorded document does not cover what the agent did after writing it. Baton adds a note about this for the successor.',
    };
  },
  move: (run, world) => {
    const kept: Run = { ...run, document: run.recordedDocument ?? run.document };
    const patch = { ...anew(run), document: kept.document, recordedDocument: null };
    return { to: 'recorded', patch, ...staleness(kept, world) };
  },
};

/**
 * Warns the operator of work that the agent did after it wrote the document. Also updates the handoff record, so that
 * the successor's prompt in the record contains this warning, too.
 */
const staleness = (run: Run, world: RunContext): Move =>
  run.changedSince === null ? {} : { warning: run.changedSince, writes: [recordOf(run, world)] };

/** Ends the successor and resumes the predecessor's conversation (SPEC H43). */
const undo: Rule = {
  action: 'undo',
  offer: (run, world) => {
    const late = WITH_SUCCESSOR.has(run.step) || run.step === 'completed' || isHalted(run, AFTER_EXIT);
    const possible = late && run.acknowledgement === null && !run.emergency && !isLive(world.agent);
    if (!possible || !world.canBringBack) return undefined;
    return {
      title: 'Undo the handoff',
      confirm: successorLives(world)
        ? 'Baton ends the successor and resumes the conversation of the predecessor.'
        : 'Baton resumes the conversation of the predecessor in a new agent.',
    };
  },
  move: () => ({ to: 'undoing', patch: again }),
};

const AFTER_EXIT: ReadonlySet<string> = new Set([...WITH_SUCCESSOR, 'shutting_down', 'undoing']);

const RULES: readonly Rule[] = [
  approve,
  nudge,
  instructAgain,
  retry,
  checkAgain,
  adopt,
  wait,
  interrupt,
  accept,
  message,
  forceExit,
  sendBack,
  cancel,
  resume,
  useRecorded,
  undo,
];

/**
 * Returns the text that offers an action to the operator (SPEC H35). Returns undefined if the action is not possible. A
 * run offers no actions if the agent has a newer run or if the agent's conversation was resumed.
 */
const wordsOf = (rule: Rule, run: Run, world: RunContext): Words | undefined =>
  world.newerRunId === null && world.resumedAs === null ? rule.offer(run, world) : undefined;

/** Returns the possible actions. The action that most likely helps comes first. */
export function offers(run: Run, world: RunContext): readonly Offer[] {
  const first = likelyAction(run, world);
  const possible = RULES.flatMap((rule) => {
    const { action } = rule;
    const words = wordsOf(rule, run, world);
    if (words === undefined) return [];
    return [typeof words === 'string' ? { action, title: words, confirm: null } : { action, ...words }];
  });
  return [...possible.filter(({ action }) => action === first), ...possible.filter(({ action }) => action !== first)];
}

/** Returns the action that is most likely to continue a halted run; undefined if Baton cannot tell. */
function likelyAction(run: Run, { agent }: RunContext): RunAction | undefined {
  if (run.lateDocument || CHECKED_BEST.has(run.failure?.code ?? '')) return 'check_again';
  if (run.step === 'cancelled') return 'resume';
  const at = run.failure?.at;
  if (at === 'waiting_safe_point' || (at === 'awaiting_document' && agent.state === 'working')) return 'wait';
  return run.recordedDocument !== null && !isLive(agent) ? 'use_recorded' : undefined;
}

/** The codes of failures after which the document on disk may still be good, so that checking it again may help. */
const CHECKED_BEST: ReadonlySet<string> = new Set(['document_unreadable', COPY_NOT_KEPT]);

const MAX_ADVISED = 3;
const NEEDS: Partial<Record<RunAction, string>> = { adopt: ' FILE', send_back: ' "COMMENT"', message: ' "TEXT"' };

/**
 * Returns the hint of a halted run: the hint of its failure, then the first few actions that are possible now. The
 * actions come from the same table as in the page and the API, so the hint names no action that the page or the API
 * would refuse.
 */
export function adviceFor(run: Run, world: RunContext): string {
  if (run.failure === null) return '';
  const { lead, hint } = run.failure;
  if (lead === undefined) return hint;
  const offered = offers(run, world);
  const isNamed = (action: RunAction): boolean => lead.includes(`baton handoff ${verbOf(action)} `);
  const isAdvised = ({ action }: Offer): boolean =>
    action !== 'cancel' &&
    !(action === 'resume' && offered.some((each) => each.action === 'retry')) &&
    !isNamed(action);
  const advised = offered
    .filter(isAdvised)
    .slice(0, MAX_ADVISED)
    .map(
      ({ action, title }) => `${title.split(':')[0]}: baton handoff ${verbOf(action)} ${run.id}${NEEDS[action] ?? ''}`,
    );
  return [lead, advised.join('; ')].filter((part) => part !== '').join(' ');
}

const verbOf = (action: RunAction): string => action.replaceAll('_', '-');

/** Returns how the operator's action changes the run; undefined if the action is not possible now. */
export function moveOf(action: RunAction, run: Run, world: RunContext): Move | undefined {
  const rule = RULES.find((each) => each.action === action);
  return rule === undefined || wordsOf(rule, run, world) === undefined ? undefined : rule.move(run, world);
}
