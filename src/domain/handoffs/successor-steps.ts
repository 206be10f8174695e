import { isLive } from '../agents/agent.ts';
import { agentLabel, subagentsLeft } from '../agents/apply-fact.ts';
import type { AgentFact, FactOf } from '../facts.ts';
import { after } from '../instant.ts';
import { deniedInWords } from './outgoing-steps.ts';
import {
  confirmPrompt,
  deliveryOf,
  isOurTurn,
  newDelivery,
  promptRef,
  trackDelivery,
  wantsConfirmation,
} from './prompts/prompt-delivery.ts';
import type { Run } from './run.ts';
import { fail, type Move, type RunContext, type StepRule } from './step-rule.ts';

/** The steps of the successor, from its creation to its acknowledgment. Rule numbers refer to SPEC.md. */

const RETRY_MS = 1_000;
/**
 * Refusals that show that the successor's pane is gone. `agent_gone` is not among them, because another program may
 * briefly have the terminal; reconcile detects whether the agent is gone.
 */
const GONE_REASONS: ReadonlySet<string> = new Set(['pane_gone', 'wrong_server']);

const who = (world: RunContext): string =>
  world.successor === null
    ? `The successor of ${agentLabel(world.agent, world.identity.persona.name)}`
    : `The successor ${agentLabel(world.successor, world.identity.persona.name)}`;

/** A hint that says what remains of the failed run, and names the command that continues the run. */
const goOn = ({ id, emergency }: Run): string =>
  `${emergency ? 'The record is kept.' : 'The document and its record are kept.'} Continue with: baton handoff resume ${id}`;

const attachHint = ({ successorAgentId }: Run): string =>
  successorAgentId === null ? '' : ` Look at its screen: baton agent attach ${successorAgentId}`;

function successorGone(run: Run, world: RunContext): Move | undefined {
  if (world.successor === null || isLive(world.successor)) return undefined;
  return fail(run, {
    code: 'successor_gone',
    sentence: `${who(world)} ended at step ${run.step}: ${world.successor.stateReason}.`,
    hint: `${goOn(run)} (Baton starts another successor).`,
  });
}

const couldNotStart = (run: Run, world: RunContext, detail: string) => ({
  code: 'successor_failed',
  sentence: `${who(world)} could not be started: ${detail}.`,
  hint: `Fix the cause first. ${goOn(run)}`,
});

/** H22, H23. Starts the successor and waits for its pane. */
export const creatingSuccessor: StepRule = {
  watches: 'successor',
  enter: (run) => (run.successorAgentId === null ? { writes: [{ kind: 'create_successor' }] } : {}),
  on: {
    agent_launched: () => ({ to: 'awaiting_registration' }),
    agent_launch_failed: (run, fact, world) => fail(run, couldNotStart(run, world, fact.detail)),
  },
  // The hook of the session start can arrive before tmux reports the pane.
  level: (_run, world) => (world.successor?.pane ? { to: 'awaiting_registration' } : undefined),
  tooLate: (run, world) => fail(run, couldNotStart(run, world, 'tmux did not report its pane in time')),
};

/** H24. Waits for the start of the successor's session. */
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
      hint: `${goOn(run)}.${attachHint(run)}`,
    }),
};

/** H25, H26. Waits until the successor has its skill. */
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
  tooLate: (run, world) => fail(run, skillFailed(run, world, 'its turn did not end in time')),
};

/** Restarts the deadline when the skill turn begins, but only once, because a blocked prompt fires its hook again. */
function skillHeard(run: Run, { ref }: FactOf<'prompt_submitted'>, { successor }: RunContext): Move | undefined {
  const ours = ref !== null && successor?.priming.status === 'typing' && successor.priming.ref === ref;
  if (!ours || run.delivery?.ref === ref) return undefined;
  return { rearm: true, patch: { delivery: { ...newDelivery(ref), submitted: true } } };
}

const skillFailed = (run: Run, world: RunContext, detail: string) => ({
  code: 'skill_failed',
  sentence: `${who(world)} did not load its skill: ${detail}. The handoff prompt was not sent.`,
  hint: `${goOn(run)} (Baton gives it the skill again).${attachHint(run)}`,
});

const FOUND_OTHERWISE = {
  restored: 'The document was missing before the successor could read it; Baton restored it from its copy.',
  changed: 'The document was changed after Baton verified it; Baton keeps the verified copy under its hash.',
};

const documentOtherwise = (_run: Run, { found }: FactOf<'document_found_otherwise'>): Move => ({
  warning: FOUND_OTHERWISE[found],
});

/** H27, H28. Types the handoff prompt and waits until the successor has it. */
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
      hint: `${goOn(run)}.${attachHint(run)}`,
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
      hint: `${goOn(run)} (Baton starts another successor).`,
    });
  }
  return { patch: { delivery, retryAt: after(world.now, RETRY_MS) } };
}

/** Fails the run at once if the successor's turn with the prompt failed, because no acknowledgment can follow. */
const cannotWork = (run: Run, world: RunContext, error: string): Move =>
  fail(
    { ...run, step: 'awaiting_acknowledgement' },
    {
      code: 'successor_turn_failed',
      sentence: `${who(world)} has the handoff prompt, but its turn failed: ${error}.`,
      hint: `Fix the cause, then type the prompt again: baton handoff retry ${run.id}; or send it a message: baton agent send ${run.successorAgentId ?? ''} "…"; or finish without an acknowledgment: baton handoff accept ${run.id}`,
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

/** H29, H30. Waits for the successor's acknowledgment. */
export const awaitingAcknowledgment: StepRule = {
  watches: 'successor',
  on: {
    handoff_acknowledged: acknowledged,
    document_found_otherwise: documentOtherwise,
    turn_failed: (run, fact, world) =>
      isOurTurn(run.delivery, fact.promptId) ? cannotWork(run, world, fact.error) : undefined,
    turn_ended: (run, fact) =>
      run.delivery !== null && isOurTurn(run.delivery, fact.promptId) && subagentsLeft(fact) === 0
        ? { patch: { delivery: { ...run.delivery, isOverUnacknowledged: true } } }
        : undefined,
    prompt_submitted: ({ delivery }) =>
      delivery?.isOverUnacknowledged
        ? { patch: { delivery: { ...delivery, isOverUnacknowledged: false } } }
        : undefined,
    acknowledgement_denied: (run, fact, world) => fail(run, deniedToAcknowledge(run, fact, world)),
  },
  level: successorGone,
  tooLate: (_run, world) => ({
    to: 'completed',
    warning: `${who(world)} has the handoff prompt, but did not acknowledge it in time.`,
  }),
};

function deniedToAcknowledge(run: Run, denied: FactOf<'acknowledgement_denied'>, world: RunContext) {
  return {
    code: 'acknowledgement_denied',
    sentence: `${who(world)} has the handoff prompt, but ended its turn without acknowledging it. ${deniedInWords(denied)}`,
    hint: `It can acknowledge with the tool handoff_run_ack instead; ask it to: baton agent send ${run.successorAgentId ?? ''} "…". Or change the rule and type the prompt again: baton handoff retry ${run.id}; or finish without an acknowledgment: baton handoff accept ${run.id}`,
  };
}

/** The caller has validated the token. The token also proves that the prompt arrived, even if its hooks are pending. */
function acknowledged(_run: Run, fact: FactOf<'handoff_acknowledged'>, world: RunContext): Move {
  return { to: 'completed', patch: { acknowledgement: { task: fact.task, at: world.now } } };
}
