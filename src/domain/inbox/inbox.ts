import { type Agent, isInMenu, isLive, isWithoutTerminal } from '../agents/agent.ts';
import { agentLabel } from '../agents/apply-fact.ts';
import { howToAnswer } from '../agents/question.ts';
import type { Notice } from '../facts.ts';
import { didNotComeBack, endedUnacknowledged, restsWithout } from '../handoffs/actions.ts';
import { isWorthless } from '../handoffs/document/finding.ts';
import { failureNow } from '../handoffs/failure-now.ts';
import { autoOf, type Countdown, type Hold } from '../handoffs/policy/auto-handoff.ts';
import { HOLD_WORDS } from '../handoffs/policy/decide.ts';
import { lacksRecord, type Run } from '../handoffs/run.ts';
import type { RunContext } from '../handoffs/step-rule.ts';
import { FOUND_OTHERWISE } from '../handoffs/successor-steps.ts';
import { waitsForPerson } from '../handoffs/waits.ts';
import { durationInWords, type Instant, msBetween } from '../instant.ts';
import { type AgentLimit, continueElsewhere, limitEndInWords } from '../limits/usage-limit.ts';
import type { Persona } from '../personas/persona.ts';
import { type AgentTopic, type InboxCause, inboxKey } from './inbox-cause.ts';

/**
 * An inbox item for the operator. The item stays open until its cause no longer exists or the operator dismisses it,
 * because the operator may miss a notification.
 */
export interface InboxItem {
  readonly id: number;
  /** The key of the item's cause, as `inboxKey` returns it. */
  readonly key: string;
  readonly cause: InboxCause;
  readonly kind: InboxKind;
  readonly agentId: number | null;
  readonly runId: number | null;
  readonly sentence: string;
  readonly hint: string;
  readonly openedAt: Instant;
  /**
   * True while the cause of the item exists. If the operator dismisses the item during this time, Baton does not open
   * the item again.
   */
  readonly current: boolean;
  readonly resolvedAt: Instant | null;
  readonly resolution: string | null;
  /**
   * The time at which the operator was notified. `notified` contains the result for each channel. If the notification
   * is delayed, `notified` contains the cause of the delay under the key `held`.
   */
  readonly notifiedAt: Instant | null;
  readonly notified: Readonly<Record<string, string>>;
}

/**
 * `failure` = a run halted, an undo failed, or Baton could not start the agent for a package; `question` = an agent
 * asks the operator; `decision` = Baton asks the operator; `notice` = only for information.
 */
export type InboxKind = 'failure' | 'question' | 'decision' | 'notice';

export type InboxEntry = Pick<InboxItem, 'cause' | 'kind' | 'sentence' | 'hint'>;

export const isItemFor = ({ cause }: InboxEntry, { key }: InboxItem): boolean => inboxKey(cause) === key;

/** Returns the inbox items that the run's current state requires. The run's history does not matter. */
export function inboxEntriesForRun(run: Run, world: RunContext): readonly InboxEntry[] {
  const who = agentLabel(world.agent, world.identity.persona.name);
  const show = `baton handoff show ${run.id}`;
  const entries: InboxEntry[] = [];
  const addEntry = (what: string, kind: InboxKind, sentence: string, hint: string) =>
    entries.push({ cause: { of: 'run', runId: run.id, what }, kind, sentence, hint });
  const isHistory = world.newerRunId !== null || world.resumedAs !== null;
  const failure = failureNow(run, world);
  if (run.step === 'failed' && failure !== null && !isHistory)
    addEntry(`failed/${run.failures}`, 'failure', failure.sentence, failure.hint);
  if (world.broughtBack !== null && didNotComeBack(world) && !isHistory)
    addEntry(
      `not-back/${world.broughtBack.id}`,
      'failure',
      `The conversation of ${who} could not be resumed as agent ${world.broughtBack.id}: ${world.broughtBack.stateReason}.`,
      `The handoff document and its record are kept. Start a successor: baton handoff resume ${run.id}`,
    );
  if (run.lateDocument && lacksRecord(run) && !isHistory)
    addEntry(
      'late-document',
      'decision',
      `The handoff document of ${who} arrived after handoff ${run.id} had ended.`,
      `Continue with that document: baton handoff check-again ${run.id}`,
    );
  if (run.step === 'recorded' && run.review === 'wanted')
    addEntry(
      'review',
      'decision',
      `The handoff document of ${who} waits for your approval: ${run.document?.absolutePath ?? ''}${underReview(run, world)}`,
      `Read the document, then approve it: baton handoff approve ${run.id}, or ${isLive(world.agent) ? `send it back: baton handoff send-back ${run.id} "what is wrong with it"` : `cancel the handoff: baton handoff cancel ${run.id}`}`,
    );
  const waiting = waitsForPerson(run, world);
  if (waiting !== undefined) addEntry('waits', 'decision', `Handoff ${run.id} waits: ${waiting.why}`, waiting.hint);
  const watched =
    run.pausedAt === null ? null : [world.agent, world.successor].find((agent) => agent?.state === 'awaiting_input');
  if (watched && waiting === undefined && !isBeingAnswered(run, watched))
    addEntry(
      'asks',
      'question',
      `Handoff ${run.id} waits, because ${whoAsks(agentLabel(watched, world.identity.persona.name), watched)}`,
      howToAnswer(watched.id, watched.question),
    );
  if (restsWithout(run, world))
    addEntry(
      'rests',
      'decision',
      `${who} is idle, but Baton has neither the handoff document nor a report that the agent's turn ended: ${world.agent.stateReason}.`,
      `Check for the document: baton handoff check-again ${run.id}; ask for the document again: baton handoff instruct-again ${run.id}; see the agent's screen: baton agent screen ${run.agentId}`,
    );
  if (endedUnacknowledged(run, world) && world.successor !== null)
    addEntry(
      `silent/${run.nudge?.count ?? 0}`,
      'decision',
      `The successor ${agentLabel(world.successor, world.identity.persona.name)} ended its turn without acknowledging handoff ${run.id}.${unreminded(run)}${changedDocument(run)}`,
      `${changedDocument(run) === '' ? '' : `See the verified document: ${show} --document; `}Remind the successor: baton handoff nudge ${run.id}; send the successor a message: baton handoff message ${run.id} "TEXT"; finish without an acknowledgment: baton handoff accept ${run.id}`,
    );
  if (run.step === 'completed' && run.acknowledgement === null)
    addEntry(
      'unacknowledged',
      'notice',
      `The successor of ${who} has the handoff prompt, but has not acknowledged it.`,
      `See: ${show}`,
    );
  return entries;
}

const unreminded = ({ nudge, delivery }: Run): string =>
  nudge === null || delivery?.lastRefusal == null ? '' : ` The reminder was not typed: ${delivery.lastRefusal}.`;

/**
 * If the document was changed, returns a warning about this change. The change may be the reason why the successor
 * cannot acknowledge the handoff.
 */
const changedDocument = ({ warnings }: Run): string =>
  warnings.includes(FOUND_OTHERWISE.changed) ? ` ${FOUND_OTHERWISE.changed}` : '';

/**
 * Returns the sentences that the operator needs before deciding on the document. The inbox item shows these sentences
 * after the path of the document.
 */
function underReview({ findings }: Run, { agent }: RunContext): string {
  const found = isWorthless(findings) ? findings.map(({ sentence }) => sentence) : [];
  const since = agent.state === 'lost' ? 'was lost since then' : 'has ended since then';
  if (!isLive(agent)) found.push(`The agent ${since} (${agent.stateReason}).`);
  else if (found.length > 0) found.push('The agent was not asked to exit.');
  return found.length === 0 ? '' : `. ${found.join(' ')}`;
}

/**
 * True while an exiting client asks what to do with its background work, and Baton itself gives the answer. The
 * operator has already chosen the answer in the request for the handoff.
 */
const isBeingAnswered = (run: Run, { question, answers }: Agent): boolean =>
  run.step === 'shutting_down' &&
  question?.leaving !== undefined &&
  !answers.some(
    ({ questionId, verdict }) => questionId === question.id && verdict !== null && verdict.verdict !== 'accepted',
  );

/**
 * Returns the sentence about an agent's question. If the client is in plan mode, the sentence says so, because the
 * client then asks even for allowed actions.
 */
function whoAsks(agentName: string, { stateReason, permissionMode }: Agent): string {
  const who = permissionMode === 'plan' ? `${agentName} is in plan mode and` : agentName;
  return stateReason.startsWith('asks ') ? `${who} ${stateReason}` : `${who} asks: ${stateReason}`;
}

/** Returns the inbox items that the agent's current state requires, in addition to the items of its run. */
export function inboxEntriesForAgent(agent: Agent, personaName: string | null, inRun: boolean): readonly InboxEntry[] {
  const who = agentLabel(agent, personaName);
  // If the agent is in a run, the run's inbox item reports the agent's question, so no item is needed here. But no item
  // of a run reports that another program uses the agent's terminal, so that case needs an item here.
  if (agent.state === 'unknown' && !inRun) return [unknownState(agent, who), ...toKnow(agent, who)];
  if (agent.state !== 'awaiting_input' || (inRun && !isWithoutTerminal(agent))) return inRun ? [] : toKnow(agent, who);
  // The operator opened this menu, so an inbox item about the menu is not needed.
  if (isInMenu(agent)) return toKnow(agent, who);
  const look = `baton agent attach ${agent.id}`;
  if (isWithoutTerminal(agent)) {
    const sentence = `Baton types nothing to ${who}: ${agent.stateReason}.`;
    return [
      {
        cause: aboutAgent(agent, 'terminal'),
        kind: 'decision',
        sentence,
        hint: `End the program that now runs in the agent's terminal: ${look}`,
      },
    ];
  }
  const sentence = whoAsks(who, agent);
  return [
    { cause: aboutAgent(agent, 'asks'), kind: 'question', sentence, hint: howToAnswer(agent.id, agent.question) },
    ...toKnow(agent, who),
  ];
}

const aboutAgent = ({ id: agentId }: Pick<Agent, 'id'>, what: AgentTopic): InboxCause => ({
  of: 'agent',
  agentId,
  what,
});

const unknownState = ({ id, stateReason }: Agent, who: string): InboxEntry => ({
  cause: aboutAgent({ id }, 'unknown'),
  kind: 'notice',
  sentence: `Baton cannot tell whether ${who} is working or idle, so Baton types nothing: ${stateReason}.`,
  hint: `Look at the agent's terminal: baton agent attach ${id}`,
});

/**
 * Returns the inbox items that close by themselves when the agent gets its next prompt, compacts its context or ends.
 */
function toKnow(agent: Agent, who: string): readonly InboxEntry[] {
  const { id, attention, stateReason, personaId } = agent;
  const entries: InboxEntry[] = [];
  if (agent.state === 'idle' && agent.stateCause === 'turn_failed')
    entries.push({
      cause: aboutAgent(agent, 'turn-failed'),
      kind: 'decision',
      sentence: `${who} stopped working: ${stateReason}.`,
      hint: `Fix the cause in the agent's terminal (baton agent attach ${id}), then ask the agent again: baton agent send ${id} "…"`,
    });
  if (agent.state === 'limited' && agent.limit)
    entries.push({
      cause: aboutAgent(agent, 'limited'),
      kind: 'decision',
      sentence: limitSentence(agent.limit, who),
      hint: limitHint(agent, agent.limit),
    });
  if (agent.state === 'idle' && agent.cutOff && agent.resumesSession !== null)
    entries.push({
      cause: aboutAgent(agent, 'cut-off'),
      kind: 'decision',
      sentence: `${who}, which was agent ${agent.previousAgentId}, was cut off while it ${agent.cutOff.state === 'working' ? 'was working' : 'asked'}: ${agent.cutOff.doing}.`,
      hint: `Let the agent continue: baton agent continue ${id}; or send the agent another prompt: baton agent send ${id} "…"`,
    });
  if (attention?.finished)
    entries.push({
      cause: aboutAgent(agent, 'finished'),
      kind: 'notice',
      sentence: `${who} finished after ${durationInWords(attention.finished.workedMs)} of work (${stateReason}).`,
      hint: `See what the agent did: baton agent screen ${id}; ask for more: baton agent send ${id} "…"`,
    });
  entries.push(...autoEntries(agent, who));
  if (attention?.isNear && !entries.some(isAboutHandoff))
    entries.push({
      cause: aboutAgent(agent, 'near-threshold'),
      kind: 'notice',
      sentence: thresholdSentence(agent, who),
      hint:
        personaId === null
          ? `Give the agent a persona first: baton agent give-persona ${id} SLUG`
          : `Hand off the agent: baton handoff ${id}`,
    });
  return entries;
}

/**
 * Returns the inbox items about automatic handoffs. The item about a countdown tells the operator that the handoff can
 * still be canceled.
 */
function autoEntries(agent: Agent, who: string): readonly InboxEntry[] {
  const { countdown, held, request } = autoOf(agent);
  const { id } = agent;
  if (countdown !== null)
    return [
      {
        cause: aboutAgent(agent, 'countdown'),
        kind: 'decision',
        sentence: `Baton will hand off ${who} by itself after a countdown of ${countdownInWords(countdown)}: ${triggerInWords(agent)}.`,
        hint: `Cancel the handoff: baton policy cancel ${id}; postpone it: baton policy snooze ${id} --for 30m; begin now: baton handoff ${id}`,
      },
    ];
  if (held !== null)
    return [
      {
        cause: aboutAgent(agent, 'auto-held'),
        kind: held.why === 'loop' ? 'decision' : 'notice',
        sentence: `Baton does not hand off ${who} by itself, although ${triggerInWords(agent)}: ${HOLD_WORDS[held.why]}.`,
        hint: HOLD_HINTS[held.why](id),
      },
    ];
  if (request?.isForPerson)
    return [
      {
        cause: aboutAgent(agent, 'asks-handoff'),
        kind: 'decision',
        sentence: `${who} asks for a handoff: ${request.reason}`,
        hint: `Hand off the agent: baton handoff ${id}; to decline the request, dismiss this item`,
      },
    ];
  return [];
}

/**
 * Returns the length of a countdown in words, such as "15 s" or "2 min 30 s". Rounds to whole seconds, because Baton
 * stores the beginning of the countdown some milliseconds late, so the difference of the two times is a little too
 * short.
 */
function countdownInWords({ beganAt, dueAt }: Countdown): string {
  const seconds = Math.round(msBetween(beganAt, dueAt) / 1000);
  const rest = seconds % 60;
  return seconds > 60 && seconds < 3600 && rest > 0
    ? `${Math.floor(seconds / 60)} min ${rest} s`
    : durationInWords(seconds * 1000);
}

const HOLD_HINTS: Readonly<Record<Hold, (id: number) => string>> = {
  loop: (id) =>
    `Look at the agent's terminal: baton agent attach ${id}; hand off the agent anyway: baton handoff ${id}`,
  cap: (id) =>
    `Hand off the agent anyway: baton handoff ${id}; prevent the automatic handoff: baton policy cancel ${id}; see or change the limit: baton policy show ${id}`,
  quiet_hours: (id) =>
    `The countdown begins when the quiet hours end. Hand off the agent now: baton handoff ${id}; prevent the automatic handoff: baton policy cancel ${id}`,
};

function triggerInWords(agent: Agent): string {
  const { request } = autoOf(agent);
  if (request !== null) return `the agent asked for it ("${request.reason}")`;
  return `its context use is ${Math.floor(agent.context?.usedPercent ?? 0)} %`;
}

const isAboutHandoff = ({ cause }: InboxEntry): boolean =>
  cause.of === 'agent' && (cause.what === 'countdown' || cause.what === 'auto-held' || cause.what === 'asks-handoff');

/**
 * Returns how the cause of an inbox item about an agent ended, in words for the history of the inbox. Returns undefined
 * if Baton does not know how the cause ended.
 */
export function howItEnded({ cause }: Pick<InboxItem, 'cause'>, agent: Agent): string | undefined {
  if (cause.of !== 'agent') return undefined;
  if (cause.what === 'countdown') return autoOf(agent).ended ?? undefined;
  if (cause.what !== 'auto-held' && cause.what !== 'asks-handoff') return undefined;
  return autoOf(agent).countdown === null ? undefined : 'A countdown began';
}

const limitSentence = (limit: AgentLimit, who: string): string => {
  const { words, retriesAt, continuesItself, isAwaited } = limit;
  const then =
    retriesAt !== undefined
      ? []
      : continuesItself
        ? ["The agent's client then continues by itself."]
        : isAwaited
          ? ['Baton then asks the agent to continue.']
          : [];
  return [`${who} is under a usage limit: ${words}.`, limitEndInWords(limit) ?? [], then].flat().join(' ');
};

function limitHint({ id, personaId }: Agent, { until, continuesItself, isAwaited }: AgentLimit): string {
  const elsewhere = personaId === null ? [] : [`Continue with another client now: ${continueElsewhere(id)}`];
  const canWait = until !== null && !continuesItself && !isAwaited;
  const verb = elsewhere.length === 0 ? 'Continue' : 'continue';
  const wait = canWait ? [`${verb} when the limit ends: baton agent continue ${id} --after-limit`] : [];
  const all = [...elsewhere, ...wait];
  return all.length === 0 ? `Look at the agent's terminal: baton agent attach ${id}` : all.join('; ');
}

export const thresholdSentence = ({ context }: Pick<Agent, 'context'>, who: string): string =>
  `${who} has used ${Math.floor(context?.usedPercent ?? 0)} % of its context and has reached the threshold for a handoff.`;

/**
 * Returns the inbox item about an agent's unexpected end, if no other item reports this end. `unreceived` is the run
 * in which this agent was the successor, if the agent never acknowledged the document.
 */
export function inboxEntriesForEndedSender(
  agent: Agent,
  personaName: string | null,
  unreceived?: Pick<Run, 'id' | 'agentId'>,
): readonly InboxEntry[] {
  const { id, registeredAt, personaId, resumesSession, previousAgentId } = agent;
  const who = agentLabel(agent, personaName);
  const cause = aboutAgent(agent, 'gone');
  if (registeredAt === null && agent.adoption !== undefined) {
    const hint = `Your session continues without Baton. Try again: baton agent adopt ${agent.runtimeSessionId ?? ''} (see: baton hooks status)`;
    return [{ cause, kind: 'notice', sentence: `${who} ${agent.stateReason}.`, hint }];
  }
  if (unreceived !== undefined) {
    const hint = `The document of agent ${unreceived.agentId} is kept. Start another successor with it: baton handoff retry ${unreceived.id}`;
    return [{ cause, kind: 'notice', sentence: `${who} ended unexpectedly: ${agent.stateReason}.`, hint }];
  }
  if (registeredAt === null) {
    const again = resumesSession === null ? 'baton agent start' : `baton agent resume ${previousAgentId ?? ''}`;
    const sentence = `${who} ${agent.stateCause === 'launch_failed' ? '' : 'ended before its session began: '}${agent.stateReason}.`;
    return [{ cause, kind: 'notice', sentence, hint: `Fix the cause, then try again: ${again}` }];
  }
  const successor =
    personaId === null ? '' : `, or start a successor from what Baton knows: baton handoff ${id} --emergency`;
  const sentence = `${who} ended unexpectedly: ${agent.stateReason}.`;
  return [{ cause, kind: 'notice', sentence, hint: `Resume the conversation: baton agent resume ${id}${successor}` }];
}

export const isAboutGone = ({ cause }: Pick<InboxItem, 'cause'>): boolean =>
  cause.of === 'agent' && cause.what === 'gone';

const hookEvents = (count: number): string =>
  count === 1 ? '1 hook event (a report from an agent)' : `${count} hook events (reports from agents)`;

const hooksNotKept = (count: number) => ({
  sentence: `${hookEvents(count)} ${count === 1 ? 'was' : 'were'} dropped, because Baton's folder for waiting hook events was full.`,
  hint: `${count === 1 ? 'This event is' : 'These events are'} missing from Baton's log, but Baton reads the current state of the agents from their screens.`,
});

const hooksUnwritten = (count: number) => ({
  sentence: `At least ${hookEvents(count)} could not be written, because the disk that holds Baton's home was full or had no free inodes.`,
  hint: "These events are missing from Baton's log, but Baton reads the current state of the agents from their screens. To lose no more events, free space on that disk, then check: baton doctor",
});

/** Returns the inbox item about lessons that wait for a person's decision. There is one item for each persona. */
export const inboxEntryForLessons = ({ slug, name }: Pick<Persona, 'slug' | 'name'>): InboxEntry => ({
  cause: { of: 'persona', slug, what: 'lessons' },
  kind: 'notice',
  sentence: `Lessons from handoff documents of ${name} wait for your decision: accept or discard them.`,
  hint: `List the lessons: baton persona lessons ${slug}; then: baton persona accept-lesson NUMBER, or baton persona discard-lesson NUMBER`,
});

/** Returns the inbox item for a past event; undefined if the operator need not know of the event. */
export function inboxEntryForNotice(notice: Notice, seq: number): InboxEntry | undefined {
  const cause = { of: 'event', seq, until: null } as const;
  switch (notice.type) {
    case 'agent_warning':
      return {
        cause: { ...cause, until: notice.until ?? null },
        kind: 'notice',
        sentence: notice.sentence,
        hint: 'See: baton events',
      };
    case 'spool_overflowed':
      return {
        cause,
        kind: 'notice',
        ...(notice.couldNotBeWritten ? hooksUnwritten(notice.count) : hooksNotKept(notice.count)),
      };
    case 'token_budget_passed': {
      const [used, budget] = [notice.used, notice.budget].map((count) => count.toLocaleString('en-US'));
      return {
        cause,
        kind: 'notice',
        sentence: `The agents have used ${used} tokens on ${notice.day}, and your budget for a day was ${budget}`,
        hint: `All agents keep running. See what each agent used: baton usage --by agent --since ${notice.day} --until ${notice.day}`,
      };
    }
    default:
      return undefined;
  }
}

/** True for a warning that no longer applies once its agent has ended. */
export const isOverWithAgent = ({ cause }: Pick<InboxItem, 'cause'>): boolean =>
  cause.of === 'event' && cause.until === 'ended';
export const isOverWithMessage = (
  { cause }: Pick<InboxItem, 'cause'>,
  { messages }: Pick<Agent, 'messages'>,
): boolean =>
  cause.of === 'event' && messages.some(({ ref, verdict }) => verdict?.verdict === 'accepted' && cause.until === ref);

/**
 * True if dismissing the item also ends its cause. The next event, problem or request of the same kind then opens a new
 * item.
 */
export const isOverOnceDismissed = (item: Pick<InboxItem, 'cause'>): boolean =>
  item.cause.of === 'event' || item.cause.of === 'trouble' || requesterOf(item) !== undefined;

/** Returns the agent whose request for a handoff the item reports; undefined if the item reports something else. */
export const requesterOf = ({ cause }: Pick<InboxItem, 'cause'>): number | undefined =>
  cause.of === 'agent' && cause.what === 'asks-handoff' ? cause.agentId : undefined;
