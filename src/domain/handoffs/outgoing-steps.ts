import { isLive } from '../agents/agent.ts';
import { agentLabel, restShown, subagentsLeft } from '../agents/apply-fact.ts';
import type { AgentFact, DeniedTool, DocumentCheck, FactOf, RestShown } from '../facts.ts';
import { after } from '../instant.ts';
import { few, isWorthless } from './document/finding.ts';
import {
  confirmPrompt,
  isOurTurn,
  newDelivery,
  promptRef,
  trackDelivery,
  wantsConfirmation,
} from './prompts/prompt-delivery.ts';
import { injectionPrompt } from './prompts/prompts.ts';
import type { Run } from './run.ts';
import { fail, type Move, type RunContext, type StepRule, type Write } from './step-rule.ts';

/** The steps of the outgoing agent, from the click to its exit. Rule numbers refer to SPEC.md. */

const RETRY_MS = 1_000;
/** The delay before a retry if the last two tries were refused for the same reason. */
const SAME_AGAIN_MS = 5_000;
const PANE_GONE: ReadonlySet<string> = new Set(['pane_gone', 'wrong_server']);

const who = (world: RunContext): string => agentLabel(world.agent, world.identity.persona.name);

/** The hint on how to continue. A handoff with a record cannot be triggered again, so its run is resumed. */
const again = (run: Run, world: RunContext): string =>
  run.handoffId === null
    ? `Baton left the agent as it is. Start the handoff again: baton handoff ${world.agent.id}`
    : `Baton left the agent as it is and kept its recorded document. Continue with: baton handoff resume ${run.id}`;

/** The hint for an agent that ended without writing the requested document. */
const without = (run: Run, world: RunContext): string =>
  run.recordedDocument === null
    ? `Start a successor from what Baton knows: baton handoff ${world.agent.id} --emergency`
    : `Continue with the recorded document: baton handoff use-recorded ${run.id}`;

const agentGone = (run: Run, world: RunContext): Move =>
  fail(run, {
    code: 'agent_gone',
    sentence: `${who(world)} ended before it wrote ${run.recordedDocument === null ? 'a' : 'a new'} handoff document: ${world.agent.stateReason}.`,
    hint: without(run, world),
  });

/** H4. Prepares the path of the document. */
export const requested: StepRule = {
  watches: 'agent',
  enter: (run) => ({ effects: [{ kind: 'prepare_document_place', agentId: run.agentId, runId: run.id }] }),
  on: {
    document_place_prepared: (_run, fact) => ({
      to: 'waiting_safe_point',
      patch: {
        document: { path: fact.path, absolutePath: fact.absolutePath, sha256: null, bytes: null, markerFound: null },
      },
    }),
    effect_failed: (run, fact, world) =>
      fail(run, {
        code: 'preparation_failed',
        sentence: `Baton could not prepare the path for ${who(world)}'s handoff document: ${fact.detail}.`,
        hint: `Fix the cause, then: ${run.handoffId === null ? `baton handoff ${run.agentId}` : `baton handoff resume ${run.id}`}`,
      }),
  },
  tooLate: (run, world) =>
    fail(run, {
      code: 'preparation_failed',
      sentence: `Baton could not prepare the path for ${who(world)}'s handoff document in time.`,
      hint: again(run, world),
    }),
};

/** H5, H6. Waits until Baton can type to the agent. */
export const waitingSafePoint: StepRule = {
  watches: 'agent',
  enter: (run, world) => {
    const deadlineAt = run.safePointDeadlineAt ?? after(world.now, world.deadlines.waiting_safe_point);
    return { patch: { deadlineAt, safePointDeadlineAt: deadlineAt } };
  },
  level: (run, world) => {
    if (!isLive(world.agent)) return agentGone(run, world);
    // While the agent has an obstacle, further tries would only fill the log; reconcile reports when it is gone.
    if (!canBeTyped(world) || (run.retryAt !== null && world.now < run.retryAt)) return undefined;
    // Each try starts a new deadline, so without this check a composer that is never free would be tried forever.
    if (run.deadlineAt !== null && world.now >= run.deadlineAt) return undefined;
    return { to: 'instructing', patch: { retryAt: null } };
  },
  tooLate: (run, world) =>
    fail(run, {
      code: 'no_safe_point',
      ...whyNoSafePoint(run, world),
    }),
};

/** True if the agent is known to be idle and its composer is free. */
const canBeTyped = ({ agent }: RunContext): boolean => agent.state === 'idle' && !agent.obstacle;

function whyNoSafePoint(run: Run, world: RunContext): { readonly sentence: string; readonly hint: string } {
  const { id, state, stateReason } = world.agent;
  const again = run.handoffId === null ? `baton handoff ${run.agentId}` : `baton handoff resume ${run.id}`;
  const refusal = run.delivery?.lastRefusal ?? null;
  if (state === 'idle' && refusal !== null)
    return {
      sentence: `Baton could not type to ${who(world)} in time: ${refusal}.`,
      hint: `Nothing was typed. Remove the obstacle in its terminal (baton agent attach ${id}), then: ${again}`,
    };
  if (state === 'unknown')
    return {
      sentence: `Baton could not tell in time whether ${who(world)} is idle: ${stateReason}.`,
      hint: `Nothing was typed. Look at its terminal (baton agent attach ${id}); once it has answered a prompt, Baton knows its state. Then: ${again}`,
    };
  return {
    sentence: `${who(world)} did not become idle in time: it is ${state} (${stateReason}).`,
    hint: `Nothing was typed. Let it finish or interrupt it, then: ${again}`,
  };
}

/** H7 to H10. Types the instruction and waits until the agent has it. */
export const instructing: StepRule = {
  watches: 'agent',
  enter: (run) => {
    const ref = promptRef(run, 'instruction');
    const delivery = { ...newDelivery(ref), lastRefusal: run.delivery?.lastRefusal ?? null };
    return { patch: { delivery, retryAt: null }, effects: [typeInstruction(run, ref)] };
  },
  on: {
    prompt_typed: instructionTyped,
    prompt_submitted: instructionHeard,
    prompt_found_in_transcript: instructionHeard,
    tool_used: instructionHeard,
    input_requested: instructionHeard,
    turn_ended: instructionHeard,
    turn_failed: instructionHeard,
    compaction_started: () => ({ patch: { compactedSinceInstruction: true } }),
  },
  // An ended agent may have written the document before its end, so the next step checks the file.
  level: (run, world) => {
    if (!isLive(world.agent)) return { to: 'awaiting_document' };
    if (run.retryAt === null || world.now < run.retryAt || run.delivery === null) return undefined;
    return { patch: { retryAt: null }, effects: [typeInstruction(run, run.delivery.ref)] };
  },
  tooLate: (run, world) =>
    fail(run, {
      code: 'instruction_not_accepted',
      sentence: run.delivery?.submitted
        ? `${who(world)} submitted the handoff instruction, but its model never got it; perhaps one of your own hooks blocked it.`
        : `${who(world)} did not confirm the handoff instruction${run.delivery?.lastRefusal ? `: ${run.delivery.lastRefusal}` : '.'}`,
      hint: `Look at its screen (baton agent attach ${run.agentId}). ${again(run, world)}`,
    }),
};

const typeInstruction = (run: Run, ref: string) =>
  ({ kind: 'type_instruction', agentId: run.agentId, runId: run.id, ref }) as const;

function instructionTyped(run: Run, fact: FactOf<'prompt_typed'>, world: RunContext): Move | undefined {
  if (run.delivery === null || fact.ref !== run.delivery.ref) return undefined;
  const delivery = trackDelivery(run.delivery, fact, world.agent);
  const retryAt = after(world.now, RETRY_MS);
  if (fact.outcome.verdict === 'typed') return { patch: { delivery } };
  // A retry with the same delivery id does not paste again: if our text is in the composer, it only presses Enter.
  if (fact.outcome.verdict === 'unconfirmed') return { patch: { delivery, retryAt } };
  // After a crash this may be the second try of an instruction that has arrived, so the next step checks the file.
  if (PANE_GONE.has(fact.outcome.reason)) return { to: 'awaiting_document', patch: { delivery } };
  // A program in the foreground may be there only briefly, so Baton tries again; reconcile detects an ended agent.
  const isSame = run.delivery.lastRefusal === delivery.lastRefusal;
  return {
    to: 'waiting_safe_point',
    patch: { delivery, retryAt: isSame ? after(world.now, SAME_AGAIN_MS) : retryAt },
  };
}

function instructionHeard(run: Run, fact: AgentFact, world: RunContext): Move | undefined {
  if (run.delivery === null) return undefined;
  const delivery = trackDelivery(run.delivery, fact, world.agent);
  if (delivery === run.delivery) return undefined;
  // If a Stop is the first confirmation, it also ends our turn, so awaiting_document handles the same fact next.
  if (delivery.accepted) return { to: 'awaiting_document', patch: { delivery } };
  const wanted = wantsConfirmation(run.delivery, delivery);
  return { patch: { delivery }, effects: wanted ? [confirmPrompt(run, fact.agentId)] : [] };
}

/** H11 to H14. Waits for the document. This step serves as the handoff-in-progress flag. */
export const awaitingDocument: StepRule = {
  watches: 'agent',
  on: {
    turn_ended: (run, fact) => {
      if (run.delivery === null || !isOurTurn(run.delivery, fact.promptId)) return undefined;
      // A subagent may still write the document, so Baton waits for it. A background shell may never end.
      return subagentsLeft(fact) > 0
        ? { rearm: true, patch: { delivery: { ...run.delivery, leftSubagents: true } } }
        : { to: 'verifying' };
    },
    turn_failed: (run, fact, world) =>
      isOurTurn(run.delivery, fact.promptId)
        ? fail(run, {
            code: 'agent_error',
            sentence: `${who(world)}'s turn failed while it wrote the handoff document: ${fact.error}.`,
            hint: again(run, world),
          })
        : undefined,
    document_evidence_seen: ({ delivery }) => ({
      to: 'verifying',
      patch: { observedFacts: delivery?.leftSubagents !== true },
    }),
    tool_used: () => ({ rearm: true }),
    prompt_submitted: (run, fact, world) =>
      fact.ref === run.delivery?.ref
        ? { rearm: true, patch: { delivery: trackDelivery(run.delivery, fact, world.agent) } }
        : { rearm: true },
    agent_seen_idle: (run, fact, world) => (isBrokenOff(fact.shows) ? { patch: soonDue(run, world) } : undefined),
    compaction_ended: (_run, fact) =>
      fact.summary === undefined ? undefined : { patch: { compactSummary: fact.summary } },
    session_started: (run, fact, world) =>
      fact.source === 'clear'
        ? { patch: { ...soonDue(run, world), ...CLEARED.patch }, warning: CLEARED.warning }
        : undefined,
    compaction_started: () => ({
      rearm: true,
      patch: { compactedSinceInstruction: true },
      warning: 'The context was compacted during the handoff turn: the document was written from a summary.',
    }),
  },
  level: (run, world) => {
    if (isLive(world.agent)) return undefined;
    return {
      to: 'verifying',
      ...(run.delivery?.submitted ? { warning: 'The agent ended during the handoff turn.' } : {}),
    };
  },
  tooLate: (run, world) => {
    if (run.clearedSinceInstruction)
      return fail(run, {
        code: 'conversation_cleared',
        sentence: `${who(world)} wrote no handoff document: the operator cleared its conversation (/clear) after the handoff instruction.`,
        hint: `It no longer knows its work, which is now only in its transcript. To have it write a document anyway: baton handoff instruct-again ${run.id}`,
      });
    const shown = restShown(world.agent);
    if (isBrokenOff(shown)) return fail(run, interrupted(run, world, shown));
    return fail(run, {
      code: 'document_timeout',
      sentence: `${who(world)} showed no activity in time after the handoff instruction, and there is no finished document.`,
      hint: again(run, world),
    });
  },
};

/** H14. The result of a `/clear` between the instruction and the document. */
export const CLEARED = {
  patch: { clearedSinceInstruction: true },
  warning:
    'The operator cleared its conversation (/clear) after the handoff instruction, so it writes the document without knowing its work.',
} as const satisfies Move;

/** H14. Notes a `/clear` after the document, because the live author may be asked for another document. */
const clearedAfterwards = (_run: Run, { source }: FactOf<'session_started'>): Move | undefined =>
  source === 'clear'
    ? {
        patch: { clearedSinceDocument: true },
        warning:
          'The operator cleared its conversation (/clear) after its handoff turn. If it is asked for the document again, it writes without knowing its work.',
      }
    : undefined;

/** After Escape, the operator has this time to type another prompt, which restarts the full deadline. */
const AFTER_INTERRUPTION_MS = 30_000;

function soonDue({ deadlineAt }: Run, world: RunContext): Partial<Run> {
  const soon = after(world.now, AFTER_INTERRUPTION_MS);
  return deadlineAt !== null && deadlineAt < soon ? {} : { deadlineAt: soon };
}

const isBrokenOff = (shown: RestShown | undefined): boolean => shown === 'interrupted' || shown === 'prompt_returned';

function interrupted(run: Run, world: RunContext, shown: RestShown | undefined) {
  const sentence = `${who(world)} was interrupted before it finished the handoff document`;
  const once = `ask it again: baton handoff instruct-again ${run.id}`;
  return shown === 'prompt_returned'
    ? {
        code: 'turn_interrupted',
        sentence: `${sentence}, and the unsent instruction is back in its composer.`,
        hint: `Delete it there (baton agent attach ${world.agent.id}), then ${once}`,
      }
    : {
        code: 'turn_interrupted',
        sentence: `${sentence}.`,
        hint: `Baton left the agent as it is. To continue, ${once}`,
      };
}

/** Drops the "no Stop" warning if the Stop arrives after reconcile has found the document. */
const heardAfterAll = (run: Run, { promptId }: FactOf<'turn_ended'>): Move | undefined =>
  run.observedFacts && isOurTurn(run.delivery, promptId) ? { patch: { observedFacts: false } } : undefined;

const NO_STOP = 'No Stop hook arrived; Baton found the finished document on disk.';

/** H15 to H17. Checks the document. */
export const verifying: StepRule = {
  watches: 'agent',
  enter: (run) => ({ effects: [{ kind: 'check_document', agentId: run.agentId, runId: run.id }] }),
  on: {
    document_checked: (run, { result, findings = [], git = null, beside = [], denied }, world) =>
      documentJudged({ ...run, findings, git }, result, world, { beside, denied }),
    effect_failed: (run, fact, world) => documentJudged(run, { verdict: 'unreadable', detail: fact.detail }, world),
    turn_ended: heardAfterAll,
    session_started: clearedAfterwards,
  },
  tooLate: (run, world) => documentJudged(run, { verdict: 'unreadable', detail: 'reading it took too long' }, world),
};

/** Observations that help the operator if the document is missing or unusable. */
interface SeenBeside {
  readonly beside: readonly string[];
  readonly denied: DeniedTool | undefined;
}
const NOTHING_BESIDE: SeenBeside = { beside: [], denied: undefined };

function documentJudged(run: Run, result: DocumentCheck, world: RunContext, seen = NOTHING_BESIDE): Move {
  if (run.document === null || result.verdict !== 'good') return fail(run, documentFailure(run, result, world, seen));
  const document = { ...run.document, sha256: result.sha256, bytes: result.bytes, markerFound: result.markerFound };
  const checked = { ...run, document };
  return {
    to: 'recorded',
    patch: {
      document,
      recordedDocument: null,
      comment: null,
      findings: run.findings,
      git: run.git,
      // A worthless document makes the run wait for a review while the author is still live.
      ...(isWorthless(run.findings) && run.review === 'not_wanted' ? { review: 'wanted' } : {}),
    },
    writes: [recordOf(checked, world)],
    ...(result.markerFound ? {} : { warning: result.markerAdded ? MARKER_ADDED : NO_MARKER }),
  };
}

const MARKER_ADDED =
  'The document did not end with its end marker, so it may be incomplete; Baton appended the marker.';
const NO_MARKER =
  'The document does not end with its end marker and has no room for it, so the successor cannot prove that it read all of it.';

/** Writes the agent's only handoff record. A newer document updates this record (seed 002, NFR3). */
export const recordOf = (run: Run, world: RunContext): Write => ({
  kind: 'record_handoff',
  filePath: run.document?.path ?? null,
  injectionPrompt: injectionPrompt(run, world),
});

const WHAT_IS_WRONG: Record<Exclude<DocumentCheck['verdict'], 'good'>, string> = {
  missing: 'does not exist',
  empty: 'is empty',
  not_a_regular_file: 'is not a regular file',
  reached_through_link: 'is reached through a link',
  too_large: 'is larger than 1 MiB',
  unreadable: 'cannot be read',
};

/** L18. The sentence is in the past tense if only the transcript shows the denial. */
export const deniedInWords = ({ tool, file }: DeniedTool): string =>
  file === null
    ? `One of your permission rules denied it the tool ${tool}.`
    : `A permission rule in ${file} denies it the tool ${tool}.`;

function documentFailure(run: Run, result: DocumentCheck, world: RunContext, { beside, denied }: SeenBeside) {
  const verdict = result.verdict === 'good' ? 'unreadable' : result.verdict;
  const detail = result.verdict === 'unreadable' ? ` (${result.detail})` : '';
  const found = beside.length === 0 ? '' : ` New files since the instruction: ${few(beside)}.`;
  const document = `document ${WHAT_IS_WRONG[verdict]}: ${run.document?.absolutePath ?? '(no path)'}${detail}.${denied === undefined ? '' : ` ${deniedInWords(denied)}`}${found}`;
  const [other] = beside;
  const adopt = other === undefined ? '' : `If that is the document, use it: baton handoff adopt ${run.id} ${other}. `;
  return {
    code: `document_${verdict}`,
    sentence: isLive(world.agent)
      ? `${who(world)} ended its handoff turn, but the ${document} The agent was left running.`
      : `${who(world)} is gone (${world.agent.stateReason}), and its handoff ${document}`,
    hint: `${adopt}${isLive(world.agent) ? again(run, world) : without(run, world)}`,
  };
}

/** H18, H19. Checks that a successor can start, and waits for the review if one is wanted. */
export const recorded: StepRule = {
  watches: 'agent',
  enter: (run) => ({ effects: [{ kind: 'check_successor_can_start', agentId: run.agentId, runId: run.id }] }),
  on: {
    // A run that waits for the operator's review has no deadline.
    successor_can_start: (run) => (run.review === 'wanted' ? { patch: { deadlineAt: null } } : { to: 'shutting_down' }),
    successor_cannot_start: (run, fact, world) => fail(run, cannotStart(run, world, fact.detail)),
    turn_ended: heardAfterAll,
    session_started: clearedAfterwards,
    effect_failed: (run, fact, world) => fail(run, cannotStart(run, world, fact.detail)),
  },
  tooLate: (run, world) => fail(run, cannotStart(run, world, 'the check took too long')),
};

/** The failure if no successor can start. Its hint depends on whether the agent is live and a document exists. */
function cannotStart(run: Run, world: RunContext, detail: string) {
  const code = 'successor_cannot_start';
  const why = `A successor for ${who(world)} could not start`;
  if (isLive(world.agent))
    return {
      code,
      sentence: `${why}, so Baton did not ask the agent to exit: ${detail}.`,
      hint: `The document and its record are kept, and the agent was left running. Fix the cause, then: baton handoff resume ${run.id}`,
    };
  const kept = run.emergency ? '' : 'The document and its record are kept. ';
  return {
    code,
    sentence: `${why}: ${detail}.`,
    hint: `${kept}Fix the cause, then: baton handoff resume ${run.id}`,
  };
}

/** H20, H21. Waits until the agent's process is gone; a hook is never enough evidence. */
export const shuttingDown: StepRule = {
  watches: 'agent',
  enter: (run, world) => (isLive(world.agent) ? { effects: [typeExit(run)] } : {}),
  on: {
    turn_ended: heardAfterAll,
    prompt_typed: (run, fact, world) => {
      if (fact.ref !== exitRef(run) || fact.outcome.verdict === 'typed') return undefined;
      return {
        patch: {
          retryAt: after(world.now, RETRY_MS),
          delivery: { ...newDelivery(fact.ref), lastRefusal: fact.outcome.detail },
        },
      };
    },
  },
  level: (run, world) => {
    const gone = world.agent.state === 'ended' || (world.agent.state === 'lost' && run.lostCountsAsGone);
    if (gone)
      return {
        to: 'creating_successor',
        patch: { delivery: null, retryAt: null, observedFacts: false },
        ...(run.observedFacts ? { warning: NO_STOP } : {}),
      };
    if (world.agent.state === 'lost') return fail(run, lost(run, world));
    const asked = world.agent.state === 'awaiting_input' ? world.agent.question : null;
    if (asked?.leaving !== undefined && run.exitAnswered !== asked.id)
      return { patch: { exitAnswered: asked.id }, effects: [answerExit(run, asked.id, asked.leaving[run.background])] };
    if (run.retryAt === null || world.now < run.retryAt || !canBeTyped(world)) return undefined;
    return { patch: { retryAt: null }, effects: [typeExit(run)] };
  },
  tooLate: (run, world) =>
    fail(run, {
      code: 'did_not_exit',
      sentence: `${who(world)} did not exit${run.delivery?.lastRefusal ? `: ${run.delivery.lastRefusal}` : ' after /exit'}. No successor was started.`,
      hint: `The document and its record are kept. End it in its terminal (baton agent attach ${run.agentId}) or kill it (baton handoff force-exit ${run.id}), then: baton handoff resume ${run.id}`,
    }),
};

const exitRef = (run: Run): string => promptRef(run, 'exit');

const typeExit = (run: Run) => ({ kind: 'type_exit', agentId: run.agentId, runId: run.id, ref: exitRef(run) }) as const;

/** The reference contains the question id, so that Baton also answers a question that a second try opens. */
const answerExit = (run: Run, questionId: string, choice: number) =>
  ({
    kind: 'answer_exit',
    agentId: run.agentId,
    runId: run.id,
    ref: `${exitRef(run)}-answer-${questionId.slice(0, 8)}`,
    questionId,
    choice,
  }) as const;

const lost = (run: Run, world: RunContext) => ({
  code: 'agent_lost',
  sentence: `${who(world)} was lost before it exited: ${world.agent.stateReason}.`,
  hint: `The document and its record are kept. If its process has ended, start the successor: baton handoff resume ${run.id}`,
});
