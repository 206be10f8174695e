import { isLive, isWithoutTerminal } from '../agents/agent.ts';
import { after } from '../instant.ts';
import { recordOf } from './outgoing-steps.ts';
import { type ActiveStep, BEFORE_EXIT, canBeCancelled, isOver, lacksRecord, type Run, type RunAction } from './run.ts';
import type { Move, RunContext } from './step-rule.ts';

/**
 * The operator's actions on a run (SPEC H33, H35 to H43, H50 to H53). One table defines which actions are offered and
 * what each of them does, so Baton accepts exactly the actions that it offers.
 */
export interface Offer {
  readonly action: RunAction;
  /** Describes the effect of the action. */
  readonly title: string;
  /** The question that the operator must confirm first; null if the action destroys nothing. */
  readonly confirm: string | null;
}

interface Rule {
  readonly action: RunAction;
  /** Returns undefined if the action is not possible now. */
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

/** The step at which the run halted. A run cancelled with its record counts as halted at `recorded`. */
function haltedAt(run: Run): ActiveStep | undefined {
  if (run.step === 'failed') return run.failure?.at;
  if (run.step !== 'cancelled' || run.broughtBackAgentId !== null) return undefined;
  return run.handoffId === null ? 'verifying' : 'recorded';
}

const isHalted = (run: Run, steps: ReadonlySet<string>): boolean => steps.has(haltedAt(run) ?? '');

const successorLives = (world: RunContext): boolean => world.successor !== null && isLive(world.successor);

/** Clears the failure when a halted run continues. The failure stays in the log. */
const again: Partial<Run> = { failure: null, retryAt: null, safePointDeadlineAt: null, lateDocument: false };

/**
 * Requests a new document at a new path. The recorded document stays valid until the new document is verified. The new
 * path prevents that Baton mistakes the old file for the new document if the agent writes nothing.
 */
const askAfresh = (run: Run): Partial<Run> => ({
  ...askAgain(run),
  document: null,
  recordedDocument: run.recordedDocument ?? run.document,
  review: run.review === 'approved' ? 'wanted' : run.review,
  changedSince: null,
});

/** Requests another document. After a `/clear` since the last document, the agent has forgotten its work. */
const askAgain = (run: Run): Partial<Run> => ({
  ...anew(run),
  clearedSinceInstruction: run.clearedSinceInstruction || run.clearedSinceDocument,
});

const anew = (run: Run): Partial<Run> => ({ ...again, attempt: run.attempt + 1, delivery: null });

const WAITABLE: ReadonlySet<string> = new Set(['waiting_safe_point', 'awaiting_document']);

const STARTING: ReadonlySet<string> = new Set(['creating_successor', 'awaiting_registration', 'injecting_skill']);

/** H36. Extends the wait, or makes a halted run wait again. */
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

/** H37. Interrupts the working agent with Escape. */
const interrupt: Rule = {
  action: 'interrupt',
  offer: (run, world) => {
    const waits = run.step === 'waiting_safe_point' || isHalted(run, new Set(['waiting_safe_point']));
    return waits && run.step !== 'cancelled' && world.agent.state === 'working'
      ? {
          title: 'Interrupt the agent',
          confirm:
            'This interrupts what the agent is doing now. A prompt that it had not started to answer may return to its composer; send or delete it there, because the handoff waits for that.',
        }
      : undefined;
  },
  move: (run) => {
    const effects = [{ kind: 'interrupt_agent', agentId: run.agentId, runId: run.id }] as const;
    return run.step === 'failed' ? { to: 'waiting_safe_point', patch: again, effects } : { effects };
  },
};

/** H51. The agent is idle, but neither a Stop nor a document has arrived. The operator may act before the deadline. */
export const restsWithout = (run: Run, { agent }: RunContext): boolean =>
  run.step === 'awaiting_document' && agent.state === 'idle';

/** True if the agent may be writing the document. A check could then accept an incomplete document. */
const isInTurn = (agent: RunContext['agent']): boolean =>
  agent.state === 'working' ||
  agent.state === 'unknown' ||
  (agent.state === 'awaiting_input' && !isWithoutTerminal(agent));

/** H38. Checks for the document again. */
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
  offer: (run) => (lacksDocument(run) ? 'Use a file that the agent wrote elsewhere' : undefined),
  move: () => ({ to: 'verifying', patch: again }),
};

/** H39. Repeats the step at which the run failed. */
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

/** H50. Completes the run without an acknowledgment, if the successor has the prompt. */
const accept: Rule = {
  action: 'accept',
  offer: (run, world) =>
    run.step === 'failed' && run.failure?.at === 'awaiting_acknowledgement' && successorLives(world)
      ? 'Finish without an acknowledgment: the successor has the prompt'
      : undefined,
  move: () => ({ to: 'completed', patch: again }),
};

const LOST = {
  title: 'Start the successor although Baton cannot see the old process',
  confirm: 'If the old process still runs somewhere, two agents will work on the same project.',
};

/** H40. Kills the pane of an agent that does not exit, but only of an agent of this run. */
const forceExit: Rule = {
  action: 'force_exit',
  offer: (run, world) => {
    const at = run.step === 'failed' ? run.failure?.at : run.step;
    if (at === 'shutting_down' && isLive(world.agent))
      return {
        title: 'Kill the agent',
        confirm: 'Baton kills the process of the agent without asking it to exit. Its document is kept.',
      };
    return run.step === 'failed' && WITH_SUCCESSOR.has(at ?? '') && successorLives(world)
      ? {
          title: 'Kill the successor',
          confirm: 'Baton kills the process of the successor. You can then start another one.',
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

/** H42. Approves the document after a review. */
const approve: Rule = {
  action: 'approve',
  offer: (run) =>
    run.step === 'recorded' && run.review === 'wanted'
      ? 'Approve the document; Baton then asks the agent to exit'
      : undefined,
  // The run enters `recorded` again, because the check that a successor can start is outdated.
  move: () => ({ to: 'recorded', patch: { review: 'approved' } }),
};

/** H52. Sends the document back to its author with a comment. */
const sendBack: Rule = {
  action: 'send_back',
  offer: (run, world) =>
    approve.offer(run, world) !== undefined && isLive(world.agent)
      ? 'Send the document back with a comment, so that the agent rewrites it'
      : undefined,
  move: (run) => ({ to: 'requested', patch: askAfresh(run) }),
};

/** H33. Cancels the run before the agent is asked to exit. */
const cancel: Rule = {
  action: 'cancel',
  offer: (run) => {
    if (!canBeCancelled(run)) return undefined;
    return run.handoffId === null
      ? 'Cancel the handoff and leave the agent as it is'
      : 'Cancel the handoff and leave the agent as it is; the document and its record are kept';
  },
  move: () => ({ to: 'cancelled', patch: { failure: null } }),
};

/** H43. True if the agent that an undo brought back ended before its session began. */
export const didNotComeBack = ({ broughtBack }: RunContext): boolean =>
  broughtBack !== null && broughtBack.registeredAt === null && !isLive(broughtBack);

/** H41. Continues a halted run that has a record, by the action that fits its state. */
const resume: Rule = {
  action: 'resume',
  offer: (run, world) => {
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
    if (didNotComeBack(world))
      return { to: 'recorded', patch: { ...anew(run), successorAgentId: null, broughtBackAgentId: null } };
    if (run.step === 'cancelled')
      return isLive(world.agent) ? { to: 'requested', patch: askAfresh(run) } : useRecorded.move(run, world);
    return wayOn(run, world)?.move(run, world) ?? {};
  },
};

/** The action by which a failed run continues. Repeating the failed step comes before using the recorded document. */
const wayOn = (run: Run, world: RunContext): Rule | undefined =>
  [retry, instructAgain, wait, useRecorded].find(({ offer }) => offer(run, world) !== undefined);

/** H53. Continues with the recorded document. Operator and successor get a note about the agent's work since then. */
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
        'The recorded document does not cover what the agent did after writing it. Baton tells the successor so.',
    };
  },
  move: (run, world) => {
    const kept: Run = { ...run, document: run.recordedDocument ?? run.document };
    const patch = { ...anew(run), document: kept.document, recordedDocument: null };
    return { to: 'recorded', patch, ...staleness(kept, world) };
  },
};

/** Warns of the agent's work after the document, and adds this note to the injection prompt in the record. */
const staleness = (run: Run, world: RunContext): Move =>
  run.changedSince === null ? {} : { warning: run.changedSince, writes: [recordOf(run, world)] };

/** H43. Ends the successor and resumes the predecessor's conversation. */
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
  wait,
  interrupt,
  checkAgain,
  instructAgain,
  adopt,
  retry,
  accept,
  forceExit,
  sendBack,
  cancel,
  resume,
  useRecorded,
  undo,
];

/** H35. Offers no action if a newer run exists or the agent's conversation was resumed. */
const wordsOf = (rule: Rule, run: Run, world: RunContext): Words | undefined =>
  world.newerRunId === null && world.resumedAs === null ? rule.offer(run, world) : undefined;

export function offers(run: Run, world: RunContext): readonly Offer[] {
  return RULES.flatMap((rule) => {
    const { action } = rule;
    const words = wordsOf(rule, run, world);
    if (words === undefined) return [];
    return [typeof words === 'string' ? { action, title: words, confirm: null } : { action, ...words }];
  });
}

/** Returns the move for the operator's action; undefined if the action is not possible now. */
export function moveOf(action: RunAction, run: Run, world: RunContext): Move | undefined {
  const rule = RULES.find((each) => each.action === action);
  return rule === undefined || wordsOf(rule, run, world) === undefined ? undefined : rule.move(run, world);
}
