import { type Agent, isLive } from '../agents/agent.ts';
import { agentLabel, subagentsLeft } from '../agents/apply-fact.ts';
import type { AgentFact, FactOf } from '../facts.ts';
import { after } from '../instant.ts';
import { deniedInWords } from './outgoing-steps.ts';
import {
  confirmPrompt,
  deliveryOf,
  isOurTurn,
  newDelivery,
  nudgeRef,
  promptRef,
  trackDelivery,
  wantsConfirmation,
} from './prompts/prompt-delivery.ts';
import type { Run } from './run.ts';
import { fail, type Move, type RunContext, type StepRule } from './step-rule.ts';

/**
 * The steps of a run that concern the successor, from its creation to its acknowledgment. Rule numbers refer to
 * SPEC.md.
 */

const RETRY_MS = 1_000;
/**
 * Refusal reasons that prove that the successor's pane no longer exists. The reason `agent_gone` is not in this list,
 * because it may only mean that another program briefly uses the terminal. Reconcile detects whether the agent has
 * really ended.
 */
const GONE_REASONS: ReadonlySet<string> = new Set(['pane_gone', 'wrong_server']);

const who = (world: RunContext): string =>
  world.successor === null
    ? `The successor of ${agentLabel(world.agent, world.identity.persona.name)}`
    : `The successor ${agentLabel(world.successor, world.identity.persona.name)}`;

/** Returns a sentence for the failure message. The sentence says what Baton keeps although the run failed. */
const kept = ({ emergency }: Run): string =>
  emergency ? 'The handoff record is kept.' : 'The handoff document and its record are kept.';

const attachHint = ({ successorAgentId }: Run): string =>
  successorAgentId === null ? '' : ` Look at the agent's screen: baton agent attach ${successorAgentId}.`;

function successorGone(run: Run, world: RunContext): Move | undefined {
  if (world.successor === null || isLive(world.successor)) return undefined;
  return fail(run, {
    code: 'successor_gone',
    sentence: `${who(world)} ended before it acknowledged the handoff: ${world.successor.stateReason}.`,
    hint: kept(run),
  });
}

const couldNotStart = (run: Run, world: RunContext, detail: string) => ({
  code: 'successor_failed',
  sentence: `${who(world)} could not be started: ${detail}.`,
  hint: `${kept(run)} Fix the cause of the failure before you try again.`,
});

/** Starts the successor and waits for its pane (SPEC H22, H23). */
export const creatingSuccessor: StepRule = {
  watches: 'successor',
  enter: (run) => (run.successorAgentId === null ? { writes: [{ kind: 'create_successor' }] } : {}),
  on: {
    agent_launched: () => ({ to: 'awaiting_registration' }),
    agent_launch_failed: (run, fact, world) => fail(run, couldNotStart(run, world, fact.detail)),
  },
  // Go on only once the pane is known, because the session-start hook can arrive before tmux reports the pane.
  level: (_run, world) => (world.successor?.pane ? { to: 'awaiting_registration' } : undefined),
  tooLate: (run, world) => fail(run, couldNotStart(run, world, 'tmux did not report its pane in time')),
};

/** Waits for the start of the successor's session (SPEC H24). */
export const awaitingRegistration: StepRule = {
  watches: 'successor',
  level: (run, world) => {
    if (world.successor?.registeredAt && isLive(world.successor)) return { to: 'injecting_skill' };
    if (world.successor === null || isLive(world.successor)) return undefined;
    return fail(run, couldNotStart(run, world, world.successor.stateReason));
  },
  tooLate: (run, world, lastScreen) =>
    fail(run, {
      code: 'successor_not_registered',
      sentence: `${who(world)} was started, but its session did not begin in time.${lastScreen ? ` Its screen shows: ${lastScreen}` : ''}`,
      hint: `${kept(run)}${attachHint(run)}`,
    }),
};

/** Waits until the successor has its skill (SPEC H25, H26). */
export const injectingSkill: StepRule = {
  watches: 'successor',
  on: { tool_used: () => ({ rearm: true }), prompt_submitted: skillHeard },
  level: (run, world) => {
    const priming = world.successor?.priming;
    if (priming?.status === 'done') {
      return { to: 'delivering_prompt', ...(priming.warning === null ? {} : { warning: priming.warning }) };
    }
    if (priming?.status === 'failed') return fail(run, skillFailed(run, world, priming.detail));
    return successorGone(run, world);
  },
  tooLate: (run, world) => fail(run, skillFailed(run, world, whyWithoutSkill(world.successor))),
};

/**
 * Restarts the deadline when the turn with the skill begins. If a blocked prompt is submitted again, its hook fires
 * again, but the deadline is not restarted a second time.
 */
function skillHeard(run: Run, { ref }: FactOf<'prompt_submitted'>, { successor }: RunContext): Move | undefined {
  const ours = ref !== null && successor?.priming.status === 'typing' && successor.priming.ref === ref;
  if (!ours || run.delivery?.ref === ref) return undefined;
  return { rearm: true, patch: { delivery: { ...newDelivery(ref), submitted: true } } };
}

/** Returns why the successor did not get its skill before the deadline, worded as the end of a sentence. */
function whyWithoutSkill(successor: Agent | null): string {
  const priming = successor?.priming;
  if (priming?.status !== 'typing') return 'its session did not report a skill in time';
  // Do not say that the turn still runs: it may have ended, and only its Stop hook is missing.
  if (priming.accepted) return "Baton did not learn in time that the agent's turn had ended";
  if (priming.pasted || priming.promptId !== null)
    return 'Baton typed the skill, but the agent did not accept it in time';
  return `Baton could not type the skill in time${priming.refusal ? ` (${priming.refusal})` : ''}`;
}

const skillFailed = (run: Run, world: RunContext, detail: string) => ({
  code: 'skill_failed',
  sentence: `${who(world)} did not load its skill: ${detail}. The handoff prompt was not sent.`,
  hint: `${kept(run)}${attachHint(run)}`,
});

export const FOUND_OTHERWISE = {
  restored: 'The document was missing before the successor could read it; Baton restored it from its copy.',
  changed: 'The document was changed after Baton verified it. Baton still has a copy of the verified document.',
  changed_and_put_back:
    'The document was changed after Baton verified it. Baton put the version that you approved back in its place before the successor read it, and keeps the changed text in the folder `documents` of its home.',
};

const documentOtherwise = (_run: Run, { found }: FactOf<'document_found_otherwise'>): Move => ({
  warning: FOUND_OTHERWISE[found],
});

/** Types the handoff prompt and waits until the successor has it (SPEC H27, H28). */
export const deliveringPrompt: StepRule = {
  watches: 'successor',
  enter: (run) => {
    const ref = promptRef(run, 'injection');
    return { patch: { delivery: deliveryOf(run, ref), retryAt: null }, effects: typeInjection(run, ref) };
  },
  on: {
    prompt_typed: injectionTyped,
    prompt_submitted: injectionHeard,
    prompt_found_in_transcript: injectionHeard,
    tool_used: injectionHeard,
    input_requested: injectionHeard,
    turn_ended: injectionHeard,
    turn_failed: injectionHeard,
    handoff_acknowledged: acknowledged,
    document_found_otherwise: documentOtherwise,
  },
  level: (run, world) => {
    const gone = successorGone(run, world);
    if (gone !== undefined || run.retryAt === null || world.now < run.retryAt) return gone;
    return { patch: { retryAt: null }, effects: typeInjection(run, run.delivery?.ref ?? '') };
  },
  tooLate: (run, world) =>
    fail(run, {
      code: 'prompt_not_accepted',
      sentence: `${who(world)} did not confirm the handoff prompt${run.delivery?.lastRefusal ? `: ${run.delivery.lastRefusal}` : '.'}`,
      hint: `${kept(run)}${attachHint(run)}`,
    }),
};

const typeInjection = (run: Run, ref: string) =>
  run.successorAgentId === null
    ? []
    : ([{ kind: 'type_injection', agentId: run.successorAgentId, runId: run.id, ref }] as const);

function injectionTyped(run: Run, fact: FactOf<'prompt_typed'>, world: RunContext): Move | undefined {
  if (run.delivery === null || fact.ref !== run.delivery.ref) return undefined;
  const delivery = trackDelivery(run.delivery, fact, world.successor);
  if (fact.outcome.verdict === 'typed') return { patch: { delivery } };
  if (fact.outcome.verdict === 'refused' && GONE_REASONS.has(fact.outcome.reason)) {
    return fail(run, {
      code: 'successor_gone',
      sentence: `${who(world)} could not be given the handoff prompt: ${fact.outcome.detail}.`,
      hint: kept(run),
    });
  }
  return { patch: { delivery, retryAt: after(world.now, RETRY_MS) } };
}

/**
 * Fails the run at once when the successor's turn with the handoff prompt has failed, because no acknowledgment can
 * come from such a turn.
 */
const cannotWork = (run: Run, world: RunContext, error: string): Move =>
  fail(
    { ...run, step: 'awaiting_acknowledgement' },
    {
      code: 'successor_turn_failed',
      sentence: `${who(world)} has the handoff prompt, but its turn failed: ${error}.`,
      hint: 'Fix the cause of the failure before you try again.',
    },
  );

function injectionHeard(run: Run, fact: AgentFact, world: RunContext): Move | undefined {
  if (run.delivery === null) return undefined;
  const delivery = trackDelivery(run.delivery, fact, world.successor);
  if (delivery === run.delivery) return undefined;
  if (delivery.accepted) {
    if (fact.type === 'turn_ended')
      return { to: 'awaiting_acknowledgement', patch: { delivery: { ...delivery, isOverUnacknowledged: true } } };
    if (fact.type !== 'turn_failed') return { to: 'awaiting_acknowledgement', patch: { delivery } };
    const { patch, ...failed } = cannotWork(run, world, fact.error);
    return { ...failed, patch: { ...patch, delivery } };
  }
  const wanted = wantsConfirmation(run.delivery, delivery);
  return { patch: { delivery }, effects: wanted ? [confirmPrompt(run, fact.agentId)] : [] };
}

/** Waits for the successor's acknowledgment (SPEC H29, H30). */
export const awaitingAcknowledgment: StepRule = {
  watches: 'successor',
  on: {
    handoff_acknowledged: acknowledged,
    document_found_otherwise: documentOtherwise,
    turn_failed: (run, fact, world) =>
      isOurTurn(run.delivery, fact.promptId) ? cannotWork(run, world, fact.error) : undefined,
    turn_ended: (run, fact) =>
      isOurTurn(run.delivery, fact.promptId) && subagentsLeft(fact) === 0 ? overUnacknowledged(run) : undefined,
    // An idle successor has ended its turn, even if no hook reported the end. After an interruption, for example, no
    // hook reports the end of the turn.
    agent_seen_idle: (run) => overUnacknowledged(run),
    prompt_submitted: promptedAgain,
    prompt_typed: (run, fact) =>
      fact.ref === nudgeRef(run) && fact.outcome.verdict !== 'typed'
        ? overUnacknowledged(run, fact.outcome.detail)
        : undefined,
    acknowledgement_denied: (run, fact, world) => fail(run, deniedToAcknowledge(fact, world)),
  },
  level: successorGone,
  tooLate: (_run, world) => ({
    to: 'completed',
    warning: `${who(world)} has the handoff prompt, but did not acknowledge it in time.`,
  }),
};

/** Records that the successor is idle again and has not sent the acknowledgment (SPEC H55). */
const overUnacknowledged = ({ delivery }: Run, lastRefusal = delivery?.lastRefusal ?? null): Move | undefined =>
  delivery === null || delivery.isOverUnacknowledged
    ? undefined
    : { patch: { delivery: { ...delivery, lastRefusal, isOverUnacknowledged: true } } };

/**
 * Begins to wait for an acknowledgment again, because a reminder or a prompt of the operator has begun another turn.
 * The successor may acknowledge the handoff in this turn, too.
 */
function promptedAgain({ delivery }: Run, fact: FactOf<'prompt_submitted'>): Move | undefined {
  if (delivery === null || !(delivery.isOverUnacknowledged || fact.ref === delivery.ref)) return undefined;
  const turn = { submitted: true, submittedPromptId: fact.promptId, isOverUnacknowledged: false };
  return { patch: { delivery: { ...delivery, ...turn } } };
}

function deniedToAcknowledge(denied: FactOf<'acknowledgement_denied'>, world: RunContext) {
  return {
    code: 'acknowledgement_denied',
    sentence: `${who(world)} has the handoff prompt, but ended its turn without acknowledging it. ${deniedInWords(denied)}`,
    hint: 'The successor can acknowledge with the tool handoff_run_ack instead; the reminder names this tool. Or change the permission rule before you send the reminder.',
  };
}

/**
 * Completes the run. The caller has already validated the token of the acknowledgment. A valid token also proves that
 * the handoff prompt arrived, even if Baton has not read the hooks of that prompt yet.
 */
function acknowledged(_run: Run, fact: FactOf<'handoff_acknowledged'>, world: RunContext): Move {
  return { to: 'completed', patch: { acknowledgement: { task: fact.task, at: world.now } } };
}
