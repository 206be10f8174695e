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
import { fail, type Move, type StepRule, type World, type Write } from './step-rule.ts';

/** The steps that concern the outgoing agent, from the click to its exit. Rule numbers are those of SPEC.md. */

const RETRY_MS = 1_000;
/** What stood in the way at the last try and still does is not tried every second. */
const SAME_AGAIN_MS = 5_000;
const PANE_GONE: ReadonlySet<string> = new Set(['pane_gone', 'wrong_server']);

const who = (world: World): string => agentLabel(world.agent, world.identity.persona.name);

/** An agent with a record cannot be triggered again: its run is gone on with. */
const again = (run: Run, world: World): string =>
  run.handoffId === null
    ? `The agent was left as it is. Trigger the handoff again with: baton handoff ${world.agent.id}`
    : `The agent was left as it is, and its recorded document is kept. Go on with: baton run resume ${run.id}`;

/** For an agent that is gone without the document that it was asked for. */
const without = (run: Run, world: World): string =>
  run.recordedDocument === null
    ? `A successor can start from what Baton knows: baton succeed ${world.agent.id}`
    : `Go on with the document that is recorded: baton run use-recorded ${run.id}`;

const agentGone = (run: Run, world: World): Move =>
  fail(run, {
    code: 'agent_gone',
    sentence: `${who(world)} is gone before it wrote ${run.recordedDocument === null ? 'a' : 'a fresh'} handoff document: ${world.agent.stateReason}.`,
    hint: without(run, world),
  });

/** H4 */
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
        sentence: `The place for ${who(world)}'s handoff document could not be prepared: ${fact.detail}.`,
        hint: `Mend the cause, then: ${run.handoffId === null ? `baton handoff ${run.agentId}` : `baton run resume ${run.id}`}`,
      }),
  },
  tooLate: (run, world) =>
    fail(run, {
      code: 'preparation_failed',
      sentence: `Preparing the place for ${who(world)}'s handoff document took too long.`,
      hint: again(run, world),
    }),
};

/** H5, H6 */
export const waitingSafePoint: StepRule = {
  watches: 'agent',
  enter: (run, world) => {
    const deadlineAt = run.safePointDeadlineAt ?? after(world.now, world.deadlines.waiting_safe_point);
    return { patch: { deadlineAt, safePointDeadlineAt: deadlineAt } };
  },
  level: (run, world) => {
    if (!isLive(world.agent)) return agentGone(run, world);
    // Whatever stands in the way is seen by looking; trying again and again would only fill the log.
    if (!canBeTyped(world) || (run.retryAt !== null && world.now < run.retryAt)) return undefined;
    // Another try would begin a new deadline: a composer that is never free would be tried for ever.
    if (run.deadlineAt !== null && world.now >= run.deadlineAt) return undefined;
    return { to: 'instructing', patch: { retryAt: null } };
  },
  tooLate: (run, world) =>
    fail(run, {
      code: 'no_safe_point',
      ...whyNoSafePoint(run, world),
    }),
};

/** At rest, by something that says so, and nothing stands in its composer's way. */
const canBeTyped = ({ agent }: World): boolean => agent.state === 'idle' && !agent.obstacle;

function whyNoSafePoint(run: Run, world: World): { readonly sentence: string; readonly hint: string } {
  const { id, state, stateReason } = world.agent;
  const again = run.handoffId === null ? `baton handoff ${run.agentId}` : `baton run resume ${run.id}`;
  const refusal = run.delivery?.lastRefusal ?? null;
  if (state === 'idle' && refusal !== null)
    return {
      sentence: `${who(world)} could not be typed to in time: ${refusal}.`,
      hint: `Nothing was typed. Clear the way in its terminal (baton agent attach ${id}), then: ${again}`,
    };
  if (state === 'unknown')
    return {
      sentence: `Nothing has said in time that ${who(world)} rests: ${stateReason}.`,
      hint: `Nothing was typed. Look at it (baton agent attach ${id}); a prompt that it answers tells Baton where it stands. Then: ${again}`,
    };
  return {
    sentence: `${who(world)} did not come to rest in time: it is ${state} (${stateReason}).`,
    hint: `Nothing was typed. Let it finish or interrupt it, then: ${again}`,
  };
}

/** H7 to H10 */
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
  // It may have got the instruction and written before it went: only the file can tell.
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

function instructionTyped(run: Run, fact: FactOf<'prompt_typed'>, world: World): Move | undefined {
  if (run.delivery === null || fact.ref !== run.delivery.ref) return undefined;
  const delivery = trackDelivery(run.delivery, fact, world.agent);
  const retryAt = after(world.now, RETRY_MS);
  if (fact.outcome.verdict === 'typed') return { patch: { delivery } };
  // The same id again never pastes twice: if our text still stands in the composer it only presses Enter.
  if (fact.outcome.verdict === 'unconfirmed') return { patch: { delivery, retryAt } };
  // After a crash this may be the second try of an instruction that did arrive: only the file can tell.
  if (PANE_GONE.has(fact.outcome.reason)) return { to: 'awaiting_document', patch: { delivery } };
  // Also with another program in the foreground: that may be for a moment, and the regular look says if the agent is gone.
  const isSame = run.delivery.lastRefusal === delivery.lastRefusal;
  return {
    to: 'waiting_safe_point',
    patch: { delivery, retryAt: isSame ? after(world.now, SAME_AGAIN_MS) : retryAt },
  };
}

function instructionHeard(run: Run, fact: AgentFact, world: World): Move | undefined {
  if (run.delivery === null) return undefined;
  const delivery = trackDelivery(run.delivery, fact, world.agent);
  if (delivery === run.delivery) return undefined;
  // A Stop between typing and this confirmation belongs to our own turn: awaiting_document judges the same fact next.
  if (delivery.accepted) return { to: 'awaiting_document', patch: { delivery } };
  const wanted = wantsConfirmation(run.delivery, delivery);
  return { patch: { delivery }, effects: wanted ? [confirmPrompt(run, fact.agentId)] : [] };
}

/** H11 to H14. This step is the handoff-in-progress flag. */
export const awaitingDocument: StepRule = {
  watches: 'agent',
  on: {
    turn_ended: (run, fact) => {
      if (run.delivery === null || !isOurTurn(run.delivery, fact.promptId)) return undefined;
      // A subagent may still write the document. A shell in the background writes none, and may never end.
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
        sentence: `${who(world)} wrote no handoff document: its conversation was cleared by the operator (/clear) after the handoff instruction.`,
        hint: `It knows nothing of its work any more. What it knew is in its transcript; a document that it writes now is written without it: baton run instruct-again ${run.id}`,
      });
    const shown = restShown(world.agent);
    if (isBrokenOff(shown)) return fail(run, interrupted(run, world, shown));
    return fail(run, {
      code: 'document_timeout',
      sentence: `${who(world)} showed no activity in time after the handoff instruction, and no finished document is there.`,
      hint: again(run, world),
    });
  },
};

/** H14 */
export const CLEARED = {
  patch: { clearedSinceInstruction: true },
  warning:
    'Its conversation was cleared by the operator (/clear) after the handoff instruction: whatever it writes now, it writes without knowing its work.',
} as const satisfies Move;

/** H14. The author lives on until the document is approved, and may be asked for another one. */
const clearedAfterwards = (_run: Run, { source }: FactOf<'session_started'>): Move | undefined =>
  source === 'clear'
    ? {
        patch: { clearedSinceDocument: true },
        warning:
          'Its conversation was cleared by the operator (/clear) after its handoff turn: if it is asked for the document again, it writes without knowing its work.',
      }
    : undefined;

/** Long enough for whoever pressed Escape to say what he wants instead: that begins the full time anew. */
const AFTER_INTERRUPTION_MS = 30_000;

function soonDue({ deadlineAt }: Run, world: World): Partial<Run> {
  const soon = after(world.now, AFTER_INTERRUPTION_MS);
  return deadlineAt !== null && deadlineAt < soon ? {} : { deadlineAt: soon };
}

const isBrokenOff = (shown: RestShown | undefined): boolean => shown === 'interrupted' || shown === 'prompt_returned';

function interrupted(run: Run, world: World, shown: RestShown | undefined) {
  const sentence = `${who(world)} was interrupted before it had finished the handoff document`;
  const once = `ask it once more with: baton run instruct-again ${run.id}`;
  return shown === 'prompt_returned'
    ? {
        code: 'turn_interrupted',
        sentence: `${sentence}, and the instruction stands in its composer, unsent.`,
        hint: `Delete it there (baton agent attach ${world.agent.id}), then ${once}`,
      }
    : { code: 'turn_interrupted', sentence: `${sentence}.`, hint: `The agent was left as it is. To go on, ${once}` };
}

/** A document is found within a second, and its Stop may take longer than that. */
const heardAfterAll = (run: Run, { promptId }: FactOf<'turn_ended'>): Move | undefined =>
  run.observedFacts && isOurTurn(run.delivery, promptId) ? { patch: { observedFacts: false } } : undefined;

const NO_STOP = 'No Stop hook came; the finished document was found by looking.';

/** H15 to H17 */
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

/** What was seen besides, where there is no good document. */
interface SeenBeside {
  readonly beside: readonly string[];
  readonly denied: DeniedTool | undefined;
}
const NOTHING_BESIDE: SeenBeside = { beside: [], denied: undefined };

function documentJudged(run: Run, result: DocumentCheck, world: World, seen = NOTHING_BESIDE): Move {
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
      // Nobody can continue from it: a person looks at it while its author still lives.
      ...(isWorthless(run.findings) && run.review === 'not_wanted' ? { review: 'wanted' } : {}),
    },
    writes: [recordOf(checked, world)],
    ...(result.markerFound ? {} : { warning: result.markerAdded ? MARKER_ADDED : NO_MARKER }),
  };
}

const MARKER_ADDED =
  'The document did not end with its end marker, so it may not be all of it; Baton has put the marker at its end.';
const NO_MARKER =
  'The document does not end with its end marker, and there is no room for it; the successor cannot prove that it read it all.';

/** One record an agent: a newer document brings it up to date (seed 002, NFR3). */
export const recordOf = (run: Run, world: World): Write => ({
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

/** L18. A refusal that only the transcript tells of is past; a rule in the settings still stands. */
export const deniedInWords = ({ tool, file }: DeniedTool): string =>
  file === null
    ? `A permission rule of your own denied it the tool ${tool} meanwhile.`
    : `A permission rule in ${file} denies it the tool ${tool}.`;

function documentFailure(run: Run, result: DocumentCheck, world: World, { beside, denied }: SeenBeside) {
  const verdict = result.verdict === 'good' ? 'unreadable' : result.verdict;
  const detail = result.verdict === 'unreadable' ? ` (${result.detail})` : '';
  const found = beside.length === 0 ? '' : ` New since it was asked: ${few(beside)}.`;
  const document = `document ${WHAT_IS_WRONG[verdict]}: ${run.document?.absolutePath ?? '(no path)'}${detail}.${denied === undefined ? '' : ` ${deniedInWords(denied)}`}${found}`;
  const [other] = beside;
  const adopt = other === undefined ? '' : `If that is the document: baton run adopt ${run.id} ${other}. `;
  return {
    code: `document_${verdict}`,
    sentence: isLive(world.agent)
      ? `${who(world)} ended its handoff turn, but the ${document} The agent is still running.`
      : `${who(world)} is gone (${world.agent.stateReason}), and its handoff ${document}`,
    hint: `${adopt}${isLive(world.agent) ? again(run, world) : without(run, world)}`,
  };
}

/** H18, H19 */
export const recorded: StepRule = {
  watches: 'agent',
  enter: (run) => ({ effects: [{ kind: 'check_successor_can_start', agentId: run.agentId, runId: run.id }] }),
  on: {
    // Nobody but the operator is waited for, so there is no deadline.
    successor_can_start: (run) => (run.review === 'wanted' ? { patch: { deadlineAt: null } } : { to: 'shutting_down' }),
    successor_cannot_start: (run, fact, world) => fail(run, cannotStart(run, world, fact.detail)),
    turn_ended: heardAfterAll,
    session_started: clearedAfterwards,
    effect_failed: (run, fact, world) => fail(run, cannotStart(run, world, fact.detail)),
  },
  tooLate: (run, world) => fail(run, cannotStart(run, world, 'the check took too long')),
};

/** Of an agent that is gone it would be untrue that it is still there; and in an emergency there is no document. */
function cannotStart(run: Run, world: World, detail: string) {
  const code = 'successor_cannot_start';
  const why = `A successor for ${who(world)} could not start`;
  if (isLive(world.agent))
    return {
      code,
      sentence: `${why}, so the agent was not asked to exit: ${detail}.`,
      hint: `The document and its record are kept, and the agent is still there. When that is mended: baton run resume ${run.id}`,
    };
  const kept = run.emergency ? '' : 'The document and its record are kept. ';
  return {
    code,
    sentence: `${why}: ${detail}.`,
    hint: `${kept}When that is mended, go on with: baton run resume ${run.id}`,
  };
}

/** H20, H21. The end is decided by the process being gone, never by a hook. */
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
      hint: `The document and its record are kept. End it by hand (baton agent attach ${run.agentId}) or by force (baton run force-exit ${run.id}); then: baton run resume ${run.id}`,
    }),
};

const exitRef = (run: Run): string => promptRef(run, 'exit');

const typeExit = (run: Run) => ({ kind: 'type_exit', agentId: run.agentId, runId: run.id, ref: exitRef(run) }) as const;

/** By the question, so that another one, opened by another try, is answered as well. */
const answerExit = (run: Run, questionId: string, choice: number) =>
  ({
    kind: 'answer_exit',
    agentId: run.agentId,
    runId: run.id,
    ref: `${exitRef(run)}-answer-${questionId.slice(0, 8)}`,
    questionId,
    choice,
  }) as const;

const lost = (run: Run, world: World) => ({
  code: 'agent_lost',
  sentence: `${who(world)} was lost before it exited: ${world.agent.stateReason}.`,
  hint: `The document and its record are kept. If its process is gone, start the successor: baton run resume ${run.id}`,
});
