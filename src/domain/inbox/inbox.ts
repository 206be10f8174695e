import { type Agent, isInMenu, isWithoutTerminal } from '../agents/agent.ts';
import { agentLabel } from '../agents/apply-fact.ts';
import { howToAnswer } from '../agents/question.ts';
import type { Notice } from '../facts.ts';
import { didNotComeBack, restsWithout } from '../handoffs/actions.ts';
import { isWorthless } from '../handoffs/document/finding.ts';
import { lacksRecord, type Run } from '../handoffs/run.ts';
import type { RunContext } from '../handoffs/step-rule.ts';
import { waitsForPerson } from '../handoffs/waits.ts';
import type { Instant } from '../instant.ts';
import { type AgentTopic, type InboxCause, inboxKey } from './inbox-cause.ts';

/**
 * An item that needs the operator. It stays open until its cause is over or the operator dismisses it, because the
 * operator may miss a notification.
 */
export interface InboxItem {
  readonly id: number;
  /** The key of the cause, from `inboxKey`. */
  readonly key: string;
  readonly cause: InboxCause;
  readonly kind: InboxKind;
  readonly agentId: number | null;
  readonly runId: number | null;
  readonly sentence: string;
  readonly hint: string;
  readonly openedAt: Instant;
  /** True while the cause exists. During this time, a dismissed item is not opened again. */
  readonly current: boolean;
  readonly resolvedAt: Instant | null;
  readonly resolution: string | null;
  /**
   * When the operator was notified; `notified` names the channels or, under `held`, why the notification is delayed.
   */
  readonly notifiedAt: Instant | null;
  readonly notified: Readonly<Record<string, string>>;
}

/** `failure` = a run halted; `question` = an agent asks; `decision` = Baton asks; `notice` = only for information. */
export type InboxKind = 'failure' | 'question' | 'decision' | 'notice';

export type InboxEntry = Pick<InboxItem, 'cause' | 'kind' | 'sentence' | 'hint'>;

export const isItemFor = ({ cause }: InboxEntry, { key }: InboxItem): boolean => inboxKey(cause) === key;

/** The inbox items that a run needs now. They depend only on the run's current state, not on its history. */
export function inboxEntriesForRun(run: Run, world: RunContext): readonly InboxEntry[] {
  const who = agentLabel(world.agent, world.identity.persona.name);
  const show = `baton handoff show ${run.id}`;
  const entries: InboxEntry[] = [];
  const addEntry = (what: string, kind: InboxKind, sentence: string, hint: string) =>
    entries.push({ cause: { of: 'run', runId: run.id, what }, kind, sentence, hint });
  const isHistory = world.newerRunId !== null || world.resumedAs !== null;
  if (run.step === 'failed' && run.failure !== null && !isHistory)
    addEntry(`failed/${run.failures}`, 'failure', run.failure.sentence, run.failure.hint);
  if (world.broughtBack !== null && didNotComeBack(world) && !isHistory)
    addEntry(
      `not-back/${world.broughtBack.id}`,
      'failure',
      `The conversation of ${who} could not be resumed as agent ${world.broughtBack.id}: ${world.broughtBack.stateReason}.`,
      `The document and its record are kept. Start a successor: baton handoff resume ${run.id}`,
    );
  if (run.lateDocument && lacksRecord(run) && !isHistory)
    addEntry(
      'late-document',
      'decision',
      `The handoff document of ${who} arrived after run ${run.id} had ended.`,
      `Continue with it: baton handoff check-again ${run.id}`,
    );
  if (run.step === 'recorded' && run.review === 'wanted')
    addEntry(
      'review',
      'decision',
      `The handoff document of ${who} waits for your approval: ${run.document?.absolutePath ?? ''}${worthless(run)}`,
      `Read it, then approve it: baton handoff approve ${run.id}, or send it back: baton handoff send-back ${run.id} "what is wrong with it"`,
    );
  const waiting = waitsForPerson(run, world);
  if (waiting !== undefined) addEntry('waits', 'decision', `Handoff run ${run.id} waits: ${waiting.why}`, waiting.hint);
  const watched =
    run.pausedAt === null ? null : [world.agent, world.successor].find((agent) => agent?.state === 'awaiting_input');
  if (watched && waiting === undefined && !isBeingAnswered(run, watched))
    addEntry(
      'asks',
      'question',
      `Handoff run ${run.id} waits, because ${whoAsks(agentLabel(watched, world.identity.persona.name), watched)}`,
      howToAnswer(watched.id, watched.question),
    );
  if (restsWithout(run, world))
    addEntry(
      'rests',
      'decision',
      `${who} is idle, but Baton has neither its handoff document nor a report that its turn ended: ${world.agent.stateReason}.`,
      `Check for the document: baton handoff check-again ${run.id}; ask for it again: baton handoff instruct-again ${run.id}; see its screen: baton agent screen ${run.agentId}`,
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

const worthless = ({ findings }: Run): string =>
  isWorthless(findings)
    ? ` ${findings.map(({ sentence }) => sentence).join(' ')} The agent was not asked to exit.`
    : '';

/** True while Baton itself answers the exit question about background work, as the operator chose for the handoff. */
const isBeingAnswered = (run: Run, { question, answers }: Agent): boolean =>
  run.step === 'shutting_down' &&
  question?.leaving !== undefined &&
  !answers.some(
    ({ questionId, verdict }) => questionId === question.id && verdict !== null && verdict.verdict !== 'accepted',
  );

/**
 * The sentence about a question. It mentions plan mode, because a client in plan mode asks even for allowed actions.
 */
function whoAsks(agentName: string, { stateReason, permissionMode }: Agent): string {
  const who = permissionMode === 'plan' ? `${agentName} is in plan mode and` : agentName;
  return stateReason.startsWith('asks ') ? `${who} ${stateReason}` : `${who} asks: ${stateReason}`;
}

/** The inbox items that an agent needs outside of a run. */
export function inboxEntriesForAgent(agent: Agent, personaName: string | null, inRun: boolean): readonly InboxEntry[] {
  const who = agentLabel(agent, personaName);
  // For an agent in a run, the run itself opens the item for a question, but no item for a taken terminal.
  if (agent.state === 'unknown' && !inRun) return [unknownState(agent, who), ...toKnow(agent, who)];
  if (agent.state !== 'awaiting_input' || (inRun && !isWithoutTerminal(agent))) return inRun ? [] : toKnow(agent, who);
  // The operator opened the menu, so there is nothing to report.
  if (isInMenu(agent)) return toKnow(agent, who);
  const look = `baton agent attach ${agent.id}`;
  if (isWithoutTerminal(agent)) {
    const sentence = `${who}: ${agent.stateReason}, so Baton does not type to it.`;
    return [{ cause: aboutAgent(agent, 'terminal'), kind: 'decision', sentence, hint: `End that program: ${look}` }];
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
  sentence: `Baton cannot tell whether ${who} is working or idle, so it does not type to it: ${stateReason}.`,
  hint: `Look at its terminal: baton agent attach ${id}`,
});

/** Items that close by themselves at the agent's next prompt, at a compaction, or when the agent ends. */
function toKnow(agent: Agent, who: string): readonly InboxEntry[] {
  const { id, attention, context, stateReason, personaId } = agent;
  const entries: InboxEntry[] = [];
  if (agent.state === 'idle' && agent.stateCause === 'turn_failed')
    entries.push({
      cause: aboutAgent(agent, 'turn-failed'),
      kind: 'decision',
      sentence: `${who} stopped working: ${stateReason}.`,
      hint: `Fix the cause in its terminal (baton agent attach ${id}), then ask it again: baton agent send ${id} "…"`,
    });
  if (attention?.finished)
    entries.push({
      cause: aboutAgent(agent, 'finished'),
      kind: 'notice',
      sentence: `${who} finished after ${inWords(attention.finished.workedMs)} of work (${stateReason}).`,
      hint: `See what it did: baton agent screen ${id}; ask for more: baton agent send ${id} "…"`,
    });
  if (attention?.isNear)
    entries.push({
      cause: aboutAgent(agent, 'near-threshold'),
      kind: 'notice',
      sentence: `${who} has used ${Math.floor(context?.usedPercent ?? 0)} % of its context and has reached the threshold for a handoff.`,
      hint:
        personaId === null
          ? `Give it a persona first: baton agent give-persona ${id} SLUG`
          : `Hand it off: baton handoff ${id}`,
    });
  return entries;
}

function inWords(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes === 0) return `${Math.floor(ms / 1000)} s`;
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** The item for an agent's unexpected end, if no other item reports this end. */
export function inboxEntriesForEndedSender(agent: Agent, personaName: string | null): readonly InboxEntry[] {
  const { id, registeredAt, personaId, resumesSession, previousAgentId } = agent;
  const who = agentLabel(agent, personaName);
  const cause = aboutAgent(agent, 'gone');
  if (registeredAt === null && agent.adoption !== undefined) {
    const hint = `Your session continues without Baton. Try again: baton agent adopt ${agent.runtimeSessionId ?? ''} (see: baton hooks status)`;
    return [{ cause, kind: 'notice', sentence: `${who} ${agent.stateReason}.`, hint }];
  }
  if (registeredAt === null) {
    const again = resumesSession === null ? 'baton agent start' : `baton agent resume ${previousAgentId ?? ''}`;
    const sentence = `${who} ${agent.stateCause === 'launch_failed' ? '' : 'ended before its session began: '}${agent.stateReason}.`;
    return [{ cause, kind: 'notice', sentence, hint: `Fix the cause, then try again: ${again}` }];
  }
  const successor =
    personaId === null ? '' : `, or start a successor from what Baton knows: baton handoff ${id} --emergency`;
  const sentence = `${who} ended unexpectedly: ${agent.stateReason}.`;
  return [{ cause, kind: 'notice', sentence, hint: `Resume its conversation: baton agent resume ${id}${successor}` }];
}

export const isAboutGone = ({ cause }: Pick<InboxItem, 'cause'>): boolean =>
  cause.of === 'agent' && cause.what === 'gone';

const hooksNotKept = (count: number) => ({
  sentence: `${count} hook events of agents were dropped, because Baton's spool was full.`,
  hint: 'Baton reads the current state of the agents from their screens; nothing else was lost.',
});

const hooksUnwritten = (count: number) => ({
  sentence: `At least ${count} hook events of agents could not be written: the disk that holds Baton's home was full, or had no free inodes.`,
  hint: 'Free disk space there, then check: baton doctor. Baton reads the current state of the agents from their screens.',
});

/** The inbox item for a past event; undefined if the operator need not know of it. */
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

/** True if a dismissal also ends the cause of the item, so that the next event or problem opens a new item. */
export const isOverOnceDismissed = ({ cause }: Pick<InboxItem, 'cause'>): boolean =>
  cause.of === 'event' || cause.of === 'trouble';
