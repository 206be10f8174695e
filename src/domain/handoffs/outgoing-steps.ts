import { isLive } from '../agents/agent.ts';
import { agentLabel, restShown, subagentsLeft } from '../agents/apply-fact.ts';
import type { AgentFact, DeniedTool, DocumentCheck, FactOf, RestShown } from '../facts.ts';
import { after } from '../instant.ts';
import { insteadOfHandoff } from '../limits/usage-limit.ts';
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

/**
 * The steps of a run that concern the outgoing agent, from the operator's request to the agent's exit. Rule numbers
 * refer to SPEC.md.
 */

const RETRY_MS = 1_000;
/** The delay before Baton tries again to type, if the last two attempts were refused for the same reason. */
const SAME_AGAIN_MS = 5_000;
const PANE_GONE: ReadonlySet<string> = new Set(['pane_gone', 'wrong_server']);

const who = (world: RunContext): string => agentLabel(world.agent, world.identity.persona.name);

/**
 * Returns a sentence for a failure message. The sentence says that Baton left the agent as it is, and whether Baton
 * kept a recorded document.
 */
const untouched = (run: Run): string =>
  run.handoffId === null
    ? 'Baton left the agent as it is.'
    : 'Baton left the agent as it is and kept its recorded document.';

/** The last sentence of a failure message if the agent is still live. */
export const LEFT_RUNNING = 'The agent was left running.';

/** Returns the hint for an agent that ended without writing the requested document. */
export const without = (run: Run, world: Pick<RunContext, 'agent'>): string =>
  run.recordedDocument === null
    ? `Start a successor from what Baton knows: baton handoff ${world.agent.id} --emergency.`
    : '';

const agentGone = (run: Run, world: RunContext): Move =>
  fail(run, {
    code: 'agent_gone',
    sentence: `${who(world)} ended before it wrote ${run.recordedDocument === null ? 'a' : 'a new'} handoff document: ${world.agent.stateReason}.`,
    hint: without(run, world),
  });

/** Prepares the path of the document (SPEC H4). */
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
        hint: 'Fix the cause of the failure before you try again.',
      }),
  },
  tooLate: (run, world) =>
    fail(run, {
      code: 'preparation_failed',
      sentence: `Baton could not prepare the path for ${who(world)}'s handoff document in time.`,
      hint: untouched(run),
    }),
};

/** Waits until Baton can type to the agent (SPEC H5, H6). */
export const waitingSafePoint: StepRule = {
  watches: 'agent',
  enter: (run, world) => {
    const deadlineAt = run.safePointDeadlineAt ?? after(world.now, world.deadlines.waiting_safe_point);
    return { patch: { deadlineAt, safePointDeadlineAt: deadlineAt } };
  },
  level: (run, world) => {
    if (!isLive(world.agent)) return agentGone(run, world);
    if (world.agent.state === 'limited' && !isAskedAgain(run, world)) return fail(run, limitedAgent(world));
    // While something blocks the composer, do not try to type: each attempt would be refused and would add an entry to
    // the log. Once the composer is free, reconcile reports this, and the run tries then.
    if (!canBeTyped(world) || (run.retryAt !== null && world.now < run.retryAt)) return undefined;
    // Do not try to type after the deadline. Each attempt sets a new deadline for typing. Without this check, Baton
    // would try forever while the composer stays blocked.
    if (run.deadlineAt !== null && world.now >= run.deadlineAt) return undefined;
    return { to: 'instructing', patch: { retryAt: null } };
  },
  tooLate: (run, world) =>
    fail(run, {
      code: 'no_safe_point',
      ...whyNoSafePoint(run, world),
    }),
};

/** Returns the failure of a run whose agent is under a usage limit, because such an agent cannot write a document. */
const limitedAgent = (world: RunContext) => ({
  code: 'agent_limited',
  sentence: `${who(world)} cannot write a handoff document, because it is under a usage limit: ${world.agent.stateReason}.`,
  hint: `Nothing was typed. ${insteadOfHandoff(world.agent.id, world.agent.limit ?? null)}.`,
});

/**
 * True if the operator has repeated the request for the document, and Baton does not know when the usage limit ends.
 * Such a limit may be over without Baton's knowledge, for example because the operator has bought more usage.
 */
const isAskedAgain = (run: Run, { agent: { limit } }: RunContext): boolean =>
  run.attempt > 1 && (limit?.until ?? limit?.retriesAt ?? null) === null;

/**
 * True if Baton can type to the agent: the agent is idle or under a usage limit, and nothing blocks its composer. Baton
 * can type /exit even to an agent under a usage limit.
 */
const canBeTyped = ({ agent }: RunContext): boolean =>
  (agent.state === 'idle' || agent.state === 'limited') && !agent.obstacle;

function whyNoSafePoint(run: Run, world: RunContext): { readonly sentence: string; readonly hint: string } {
  const { id, state, stateReason } = world.agent;
  const refusal = run.delivery?.lastRefusal ?? null;
  if (state === 'idle' && refusal !== null)
    return {
      sentence: `Baton could not type to ${who(world)} in time: ${refusal}.`,
      hint: `Nothing was typed. Remove the obstacle in the agent's terminal (baton agent attach ${id}).`,
    };
  if (state === 'unknown')
    return {
      sentence: `Baton could not tell in time whether ${who(world)} is idle: ${stateReason}.`,
      hint: `Nothing was typed. Look at the agent's terminal (baton agent attach ${id}); once the agent has answered a prompt, Baton knows its state.`,
    };
  if (state === 'awaiting_input')
    return {
      sentence: `${who(world)} did not become idle in time: it waits for your input (${stateReason}).`,
      hint: `Nothing was typed. Answer the question or close the menu in the agent's terminal (baton agent attach ${id}).`,
    };
  return {
    sentence: `${who(world)} did not become idle in time: it is ${state} (${stateReason}).`,
    hint: 'Nothing was typed. Let the agent finish, or interrupt the agent.',
  };
}

/**
 * Keeps the summary that the client writes at a compaction (SPEC H14). The step `instructing` also needs this rule,
 * because a fast client may compact before Baton has recorded that it typed the instruction.
 */
const keepSummary: NonNullable<StepRule['on']>['compaction_ended'] = (_run, fact) =>
  fact.summary === undefined ? undefined : { patch: { compactSummary: fact.summary } };

/** Types the instruction and waits until the agent has received it (SPEC H7 to H10). */
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
    compaction_ended: keepSummary,
  },
  // If the agent has ended, it may have written the document before its end, so the next step checks the file.
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
      hint: `Look at the agent's screen (baton agent attach ${run.agentId}). ${untouched(run)}`,
    }),
};

const typeInstruction = (run: Run, ref: string) =>
  ({ kind: 'type_instruction', agentId: run.agentId, runId: run.id, ref }) as const;

function instructionTyped(run: Run, fact: FactOf<'prompt_typed'>, world: RunContext): Move | undefined {
  if (run.delivery === null || fact.ref !== run.delivery.ref) return undefined;
  const delivery = trackDelivery(run.delivery, fact, world.agent);
  const retryAt = after(world.now, RETRY_MS);
  if (fact.outcome.verdict === 'typed') return { patch: { delivery } };
  // Baton pastes a text only once for each delivery id, so a repeated attempt does not paste the text again. If Baton's
  // text is still in the composer, Baton only presses Enter.
  if (fact.outcome.verdict === 'unconfirmed') return { patch: { delivery, retryAt } };
  // The pane is gone, but the instruction may have arrived: an attempt before a crash of Baton may have typed it. So go
  // on to the next step, which checks for the document.
  if (PANE_GONE.has(fact.outcome.reason)) return { to: 'awaiting_document', patch: { delivery } };
  // Another program may be in the foreground for a moment, so try again. If the agent has ended instead, reconcile
  // detects its end.
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
  // Sometimes the first sign that the instruction has arrived is the Stop that ends the instruction's turn. So the step
  // `awaiting_document` must handle this Stop, too.
  if (delivery.accepted) return { to: 'awaiting_document', patch: { delivery } };
  const wanted = wantsConfirmation(run.delivery, delivery);
  return { patch: { delivery }, effects: wanted ? [confirmPrompt(run, fact.agentId)] : [] };
}

/** Waits for the document (SPEC H11 to H14). While a run is at this step, its agent counts as being in a handoff. */
export const awaitingDocument: StepRule = {
  watches: 'agent',
  on: {
    turn_ended: (run, fact) => {
      if (run.delivery === null || !isOurTurn(run.delivery, fact.promptId)) return undefined;
      // A subagent may still write the document, so Baton waits for subagents. Baton does not wait for background
      // shells, because they may never end.
      return subagentsLeft(fact) > 0
        ? { rearm: true, patch: { delivery: { ...run.delivery, leftSubagents: true } } }
        : { to: 'verifying' };
    },
    turn_failed: (run, fact, world) =>
      isOurTurn(run.delivery, fact.promptId)
        ? fail(run, {
            code: 'agent_error',
            sentence: `${who(world)}'s turn failed while it wrote the handoff document: ${fact.error}.`,
            hint: untouched(run),
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
    compaction_ended: keepSummary,
    session_started: (run, fact, world) =>
      fact.source === 'clear'
        ? { patch: { ...soonDue(run, world), ...CLEARED.patch }, warning: CLEARED.warning }
        : undefined,
    compaction_started: () => ({
      rearm: true,
      patch: { compactedSinceInstruction: true },
      warning:
        "The agent's context was compacted while it wrote the handoff document, so the document was written from a summary.",
    }),
  },
  level: (run, world) => {
    if (isLive(world.agent)) return undefined;
    return {
      to: 'verifying',
      ...(run.delivery?.submitted ? { warning: 'The agent ended while it was working on the handoff document.' } : {}),
    };
  },
  tooLate: (run, world) => {
    if (run.clearedSinceInstruction)
      return fail(run, {
        code: 'conversation_cleared',
        sentence: `${who(world)} wrote no handoff document: the operator cleared its conversation (/clear) after the handoff instruction.`,
        hint: 'The agent no longer knows what it did; only the transcript still describes its work.',
      });
    const shown = restShown(world.agent);
    if (isBrokenOff(shown)) return fail(run, interrupted(run, world, shown));
    const seen =
      world.agent.state === 'idle'
        ? `is idle, but Baton has neither the handoff document nor a report that the agent's turn ended: ${world.agent.stateReason}`
        : 'showed no activity in time after the handoff instruction, and Baton did not see its turn end';
    return fail(run, {
      code: 'document_timeout',
      sentence: `${who(world)} ${seen}.`,
      hint: untouched(run),
    });
  },
};

/** How the run changes if the operator runs `/clear` between the instruction and the document (SPEC H14). */
export const CLEARED = {
  patch: { clearedSinceInstruction: true },
  warning:
    "The operator cleared the agent's conversation (/clear) after the handoff instruction, so the agent writes the document without knowing its earlier work.",
} as const satisfies Move;

/**
 * Records that the operator ran `/clear` after the document was written (SPEC H14). The agent has forgotten its work,
 * so a further document from it would be useless.
 */
const clearedAfterwards = (_run: Run, { source }: FactOf<'session_started'>): Move | undefined =>
  source === 'clear'
    ? {
        patch: { clearedSinceDocument: true },
        warning:
          "The operator cleared the agent's conversation (/clear) after the agent had written the handoff document. If the agent is asked for the document again, it writes without knowing its earlier work.",
      }
    : undefined;

/**
 * If the operator interrupts the agent with Escape or runs `/clear`, the run waits at most this long for the document.
 * The next prompt restarts the full deadline.
 */
const AFTER_INTERRUPTION_MS = 30_000;

function soonDue({ deadlineAt }: Run, world: RunContext): Partial<Run> {
  const soon = after(world.now, AFTER_INTERRUPTION_MS);
  return deadlineAt !== null && deadlineAt < soon ? {} : { deadlineAt: soon };
}

const isBrokenOff = (shown: RestShown | undefined): boolean => shown === 'interrupted' || shown === 'prompt_returned';

function interrupted(run: Run, world: RunContext, shown: RestShown | undefined) {
  const sentence = `${who(world)} was interrupted before it finished the handoff document`;
  return shown === 'prompt_returned'
    ? {
        code: 'turn_interrupted',
        sentence: `${sentence}, and the unsent instruction is back in the agent's composer.`,
        hint: `Before you try again, delete the instruction in the agent's terminal (baton agent attach ${world.agent.id}).`,
      }
    : {
        code: 'turn_interrupted',
        sentence: `${sentence}.`,
        hint: untouched(run),
      };
}

/**
 * Called when the Stop hook arrives. If reconcile has already found the document, cancels the warning that no Stop hook
 * arrived.
 */
const heardAfterAll = (run: Run, { promptId }: FactOf<'turn_ended'>): Move | undefined =>
  run.observedFacts && isOurTurn(run.delivery, promptId) ? { patch: { observedFacts: false } } : undefined;

const NO_STOP =
  'The agent did not report the end of its turn (no Stop hook arrived), but Baton found the finished document on disk.';

/** Checks the document (SPEC H15 to H17). */
export const verifying: StepRule = {
  watches: 'agent',
  enter: (run) => ({ effects: [{ kind: 'check_document', agentId: run.agentId, runId: run.id }] }),
  on: {
    document_checked: (run, { result, findings = [], knowledge = null, beside = [], denied }, world) =>
      documentJudged({ ...run, findings, knowledge }, result, world, { beside, denied }),
    effect_failed: (run, fact, world) => fail(run, notKept(run, fact.detail, world)),
    turn_ended: heardAfterAll,
    session_started: clearedAfterwards,
  },
  tooLate: (run, world) =>
    documentJudged(run, { verdict: 'unreadable', detail: 'reading the document took too long' }, world),
};

/** Observations that help the operator to find out why the document is missing or cannot be used. */
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
      warnings: withoutMarkerWarnings(run),
      comment: null,
      findings: run.findings,
      // The points and lessons of this document replace those of an earlier document of the same run.
      knowledge: run.knowledge,
      isComparing: true,
      git: null,
      // If the document is worthless, require a review before the agent exits: the agent that wrote it is still live
      // and can write a better one.
      ...(isWorthless(run.findings) && run.review === 'not_wanted' ? { review: 'wanted' } : {}),
    },
    writes: [recordOf(checked, world)],
    ...(result.markerFound ? {} : { warning: result.markerAdded ? MARKER_ADDED : NO_MARKER }),
  };
}

/** Returns the warnings of the run, except the warnings about the end marker of an earlier document. */
const withoutMarkerWarnings = ({ warnings }: Run): readonly string[] =>
  warnings.filter((warning) => warning !== MARKER_ADDED && warning !== NO_MARKER);

const MARKER_ADDED =
  'The document did not end with its end marker, so it may be incomplete; Baton appended the marker.';
const NO_MARKER =
  'The document has no end marker, and Baton cannot add one because the document is too large, so the successor cannot prove that it read the whole document.';

/**
 * Returns the store operation that saves the agent's handoff record. An agent has only one record, which a newer
 * document updates (specification 002, NFR3).
 */
export const recordOf = (run: Run, world: RunContext): Write => ({
  kind: 'record_handoff',
  filePath: run.document?.path ?? null,
  injectionPrompt: injectionPrompt(run, world),
});

/** Returns the failure for a document that Baton could read but not store, for example on a read-only disk. */
const notKept = (run: Run, detail: string, world: RunContext) => ({
  code: COPY_NOT_KEPT,
  sentence: `Baton could not store its copy of ${who(world)}'s handoff document ${run.document?.absolutePath ?? '(no path)'}: ${detail}.`,
  hint: 'The document itself is kept. Fix the cause of the failure before you try again.',
});

export const COPY_NOT_KEPT = 'document_not_kept';

const WHAT_IS_WRONG: Record<Exclude<DocumentCheck['verdict'], 'good'>, string> = {
  missing: 'does not exist',
  empty: 'is empty',
  not_a_regular_file: 'is not a regular file',
  reached_through_link: 'has a path that leads through a symbolic link',
  too_large: 'is larger than 1 MiB',
  unreadable: 'cannot be read',
};

/**
 * Returns a sentence about a denied tool (L18 in docs/REAL-LIFE.md). If Baton has found the rule in a settings file,
 * the sentence says that the rule denies the tool, and names the file. If only the transcript shows the denial, the
 * sentence says that a rule denied the tool.
 */
export const deniedInWords = ({ tool, file }: DeniedTool): string =>
  file === null
    ? `One of your permission rules denied the agent the tool ${tool}.`
    : `A permission rule in ${file} denies the agent the tool ${tool}.`;

function documentFailure(run: Run, result: DocumentCheck, world: RunContext, { beside, denied }: SeenBeside) {
  const verdict = result.verdict === 'good' ? 'unreadable' : result.verdict;
  const detail = result.verdict === 'unreadable' ? ` (${result.detail})` : '';
  const found = beside.length === 0 ? '' : ` New files since the instruction: ${few(beside)}.`;
  const document = `document ${WHAT_IS_WRONG[verdict]}: ${run.document?.absolutePath ?? '(no path)'}${detail}.${denied === undefined ? '' : ` ${deniedInWords(denied)}`}${found}`;
  const [other] = beside;
  const adopt =
    other === undefined ? '' : `If that file is the handoff document, use it: baton handoff adopt ${run.id} ${other}. `;
  return {
    code: `document_${verdict}`,
    sentence: isLive(world.agent)
      ? `${who(world)} ended its handoff turn, but the ${document} ${LEFT_RUNNING}`
      : `${who(world)} is gone (${world.agent.stateReason}), and its handoff ${document}`,
    // The sentence of the failure already says that a live agent was left running, so the hint does not say this again.
    hint: `${adopt}${!isLive(world.agent) ? without(run, world) : run.handoffId === null ? '' : untouched(run)}`.trim(),
  };
}

/**
 * Adds the result of comparing the document with the project (SPEC H65). Baton types /exit without waiting for this
 * result, because the findings only inform the operator.
 */
const compared = (run: Run, { findings, git }: FactOf<'document_compared'>): Move | undefined =>
  run.isComparing
    ? { patch: { isComparing: false, findings: [...run.findings, ...findings], git: git ?? null } }
    : undefined;

/** A comparison that failed or took too long never stops a handoff (SPEC H65). */
export const withoutComparison: Move = { patch: { isComparing: false } };

/** Checks that a successor can start, and waits for the review if one is required (SPEC H18, H19). */
export const recorded: StepRule = {
  watches: 'agent',
  enter: (run) => ({
    effects: [
      { kind: 'check_successor_can_start', agentId: run.agentId, runId: run.id },
      ...(run.isComparing ? [{ kind: 'compare_document', agentId: run.agentId, runId: run.id } as const] : []),
    ],
  }),
  on: {
    document_compared: compared,
    // A run that waits for the operator's review has no deadline.
    successor_can_start: (run, { runsOn = run.runsOn ?? null }) =>
      run.review === 'wanted' ? { patch: { deadlineAt: null, runsOn } } : { to: 'shutting_down', patch: { runsOn } },
    successor_cannot_start: (run, fact, world) => fail(run, cannotStart(run, world, fact.detail)),
    turn_ended: heardAfterAll,
    session_started: clearedAfterwards,
    effect_failed: (run, fact, world) =>
      fact.doing === 'compare_document' ? withoutComparison : fail(run, cannotStart(run, world, fact.detail)),
  },
  tooLate: (run, world) => fail(run, cannotStart(run, world, 'the check took too long')),
};

/**
 * Returns the failure of a run whose successor cannot start. The hint depends on whether the outgoing agent is live and
 * whether a document exists.
 */
function cannotStart(run: Run, world: RunContext, detail: string) {
  const code = 'successor_cannot_start';
  const why = `A successor for ${who(world)} could not start`;
  if (isLive(world.agent))
    return {
      code,
      sentence: `${why}, so Baton did not ask the agent to exit: ${detail}.`,
      hint: 'The handoff document and its record are kept. Fix the cause of the failure before you try again.',
    };
  const kept = run.emergency ? '' : 'The handoff document and its record are kept. ';
  return {
    code,
    sentence: `${why}: ${detail}.`,
    hint: `${kept}Fix the cause of the failure before you try again.`,
  };
}

/**
 * Waits until the agent's process is gone (SPEC H20, H21). A hook alone is never enough evidence that the process is
 * gone.
 */
export const shuttingDown: StepRule = {
  watches: 'agent',
  enter: (run, world) => (isLive(world.agent) ? { effects: [leave(run, world)] } : {}),
  on: {
    document_compared: compared,
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
    // The successor may change files, so it starts only after the document was compared with the project.
    if (isGone(run, world) && run.isComparing) return undefined;
    if (isGone(run, world))
      return {
        to: 'creating_successor',
        patch: { delivery: null, retryAt: null, observedFacts: false },
        ...(run.observedFacts ? { warning: NO_STOP } : {}),
      };
    if (world.agent.state === 'lost') return fail(run, lost(world));
    const asked = world.agent.state === 'awaiting_input' ? world.agent.question : null;
    if (asked?.leaving !== undefined && run.exitAnswered !== asked.id)
      return { patch: { exitAnswered: asked.id }, effects: [answerExit(run, asked.id, asked.leaving[run.background])] };
    if (run.retryAt === null || world.now < run.retryAt || !canBeTyped(world)) return undefined;
    return { patch: { retryAt: null }, effects: [leave(run, world)] };
  },
  tooLate: (run, world) =>
    isGone(run, world)
      ? withoutComparison
      : fail(run, {
          code: 'did_not_exit',
          sentence: `${who(world)} did not exit${run.delivery?.lastRefusal ? `: ${run.delivery.lastRefusal}` : ' after /exit'}. No successor was started.`,
          hint: `The handoff document and its record are kept. End the agent in its terminal (baton agent attach ${run.agentId}).`,
        }),
};

const isGone = (run: Run, { agent }: RunContext): boolean =>
  agent.state === 'ended' || (agent.state === 'lost' && run.lostCountsAsGone);

/**
 * Asks the client to exit (SPEC H56). If the client waits for the end of a usage limit and then continues by itself,
 * Baton ends the client instead. The screen of such a client shows work, so Baton must not type /exit. Ending the
 * client loses no work, because the model refuses its requests.
 */
const leave = (run: Run, world: RunContext) => (continuesItself(world) ? endAgent(run) : typeExit(run));

const continuesItself = ({ agent }: RunContext): boolean =>
  agent.state === 'limited' && agent.limit?.continuesItself === true;

const endAgent = (run: Run) => ({ kind: 'end_agent', agentId: run.agentId }) as const;

const exitRef = (run: Run): string => promptRef(run, 'exit');

const typeExit = (run: Run) => ({ kind: 'type_exit', agentId: run.agentId, runId: run.id, ref: exitRef(run) }) as const;

/**
 * Answers the question that a client asks before it exits. The reference of the answer contains the question id. So if
 * a second attempt to exit opens a new question, Baton answers this question, too.
 */
const answerExit = (run: Run, questionId: string, choice: number) =>
  ({
    kind: 'answer_exit',
    agentId: run.agentId,
    runId: run.id,
    ref: `${exitRef(run)}-answer-${questionId.slice(0, 8)}`,
    questionId,
    choice,
  }) as const;

const lost = (world: RunContext) => ({
  code: 'agent_lost',
  sentence: `Before ${who(world)} exited, Baton lost the agent: ${world.agent.stateReason}.`,
  hint: 'The handoff document and its record are kept. If the process of the agent has ended, the successor can start.',
});
