import type { InboxEntry, InboxKind } from '../inbox/inbox.ts';
import { durationInWords, type Instant, msBetween } from '../instant.ts';
import { onOneLine } from '../plain-text.ts';
import { isAnnounced } from './announcement.ts';
import { parseAddressee } from './content/addressee.ts';
import { isPerson } from './content/package.ts';
import { awaitedName, heldUpBy, heldUpHint, heldUpSentence, notifiedAndAwaited } from './held-up.ts';
import { MAX_ROUNDS } from './package-facts.ts';
import { isTerminal } from './record.ts';
import { isHandoffPackage, type StoppedStep, type StoredPackage } from './stored-package.ts';

/** Returns the name of a package's party for sentences, such as "Con (agent 2)" for the slug `developer-con-1`. */
export type Called = (name: string) => string;

const AS_WRITTEN: Called = (name) => name;

/**
 * Returns the inbox items that the current state of the package requires. The history of the package does not matter.
 * Sentences use the names that `called` returns, and the commands in hints use the names in the package.
 */
export function inboxEntriesForPackage(
  stored: StoredPackage,
  now: Instant,
  called: Called = AS_WRITTEN,
): readonly InboxEntry[] {
  const { record } = stored;
  const { id, state } = record;
  const from = called(record.from);
  const to = called(record.to);
  const show = `baton package show ${id}`;
  const entries: InboxEntry[] = [];
  // A handoff run opens its own inbox items, so the package of the run needs no inbox items.
  if (isHandoffPackage(stored)) return entries;
  const addEntry = (what: string, kind: InboxKind, sentence: string, hint: string) =>
    entries.push({ cause: { of: 'package', packageId: id, what }, kind, sentence: onOneLine(sentence), hint });
  if (state === 'pending' && record.waiter === 'human')
    addEntry(
      // The number of reminders is part of the inbox item's key. So each reminder opens a new item, and the operator is
      // notified again.
      `decide/${record.revision}/${record.round}/${record.reminders}`,
      'decision',
      `${decisionWanted(stored, from)}${record.reminders > 0 ? ' The decision is overdue.' : ''}`,
      `Read the package (${show}), then: baton package decide ${id} approve|reject|question --reason TEXT`,
    );
  if (state === 'clarifying' && (isPerson(record.from) || record.waiter === 'human'))
    addEntry(
      `answer/${record.round}`,
      'question',
      answerWanted(record, from, to),
      `Answer: baton package answer ${id} ${record.questions.map((question) => `${question.id}=TEXT`).join(' ')}`,
    );
  const { problem = null } = stored.start ?? {};
  if (state === 'pending' && problem !== null)
    addEntry(
      `not-started/${stored.start?.agentId ?? 'none'}`,
      'failure',
      `Package ${id} waits for ${to}, but Baton could not start an agent with this persona: ${problem}.`,
      `Start an agent yourself: baton agent start --persona ${record.to}`,
    );
  const heldUp = heldUpBy(stored);
  // If an adopted agent holds the package up, the inbox item about this agent replaces the item about a late package.
  if (heldUp !== undefined)
    addEntry(`held-up/${heldUp.name}`, 'decision', heldUpSentence(stored, heldUp), heldUpHint(stored, heldUp));
  else if (record.reminders > 1 && record.waiter !== 'human' && !isTerminal(record))
    addEntry(`late/${state}/${record.revision}`, 'decision', overdueSentence(stored, now, called), overdueHint(stored));
  if (stored.stopped)
    addEntry(
      'stopped',
      'decision',
      stoppedSentence(stored, stored.stopped, called),
      `Remind the agent: baton package remind ${id}; ${see(id)}`,
    );
  // If the sender of a rejected package is a live agent, Baton sends this agent a prompt. If the sender is a person or
  // has ended, the operator gets an inbox item instead.
  const isUntold = isPerson(record.from) || record.senderGone;
  if (state === 'rejected' && isUntold && !(isPerson(record.from) && record.decision !== null))
    addEntry(
      'rejected',
      'notice',
      record.decision === null
        ? `${to} declined package ${id} from ${from}: ${record.cause}.`
        : `You rejected ${id} (${record.cause}), but its author ${from} has ended.`,
      `See: ${show}`,
    );
  if (state === 'failed')
    addEntry(
      state,
      'notice',
      `Package ${id} from ${from} to ${to} has failed${record.cause === null ? '' : `: ${record.cause}`}`,
      `See: ${show}`,
    );
  return entries;
}

function overdueHint(stored: StoredPackage): string {
  const { record, projectId } = stored;
  const { id, state, to } = record;
  if (state === 'draft') return `${see(id)}; cancel the package: baton package cancel ${id}`;
  // Baton cannot remind an agent that does not run, so the hint about an unnotified persona also offers a start.
  const mayNeedStart = state === 'pending' && !isNotified(stored) && parseAddressee(to).kind === 'persona';
  const remind = mayNeedStart
    ? `If no agent with the persona ${to} runs, start one: baton agent start --project ${projectId} --persona ${to}; if one runs, remind it: baton package remind ${id}`
    : `Remind the agent: baton package remind ${id}`;
  if (state === 'clarifying') return `${remind}; ${see(id)}; cancel the package: baton package cancel ${id}`;
  const reassign = `give the package to another agent: baton package reassign ${id} NAME`;
  const end =
    state === 'accepted'
      ? `end the package: baton package fail ${id} --cause TEXT`
      : `cancel the package: baton package cancel ${id}`;
  return `${remind}; ${reassign}; ${end}`;
}

const see = (id: string): string => `see the package: baton package show ${id}`;

/**
 * Returns the name that sentences use for the agent that must act on the package (SPEC P37). This is the label of the
 * agent that Baton has notified or, without a notification, the name that the package waits for.
 */
const actingAgent = (stored: StoredPackage, called: Called): string =>
  notifiedAndAwaited(stored)?.label ?? called(awaitedName(stored.record) ?? stored.record.to);

/**
 * Returns the sentence about a stopped workflow (SPEC P38). The sentence names the agent that completed its step, and
 * the step that never began.
 */
const stoppedSentence = (
  { record, told, receiverAgentId }: StoredPackage,
  { workflow, step, nextStep, nextAgent }: StoppedStep,
  called: Called,
): string =>
  `The workflow ${workflow} has stopped: ${told?.agentId === receiverAgentId ? told.label : called(record.to)} completed step ${step} (${record.id}), but passed nothing on to ${called(nextAgent)} for step ${nextStep}.`;

/** Returns the sentence about a late package. The sentence names the agent that must act, and says what is missing. */
function overdueSentence(stored: StoredPackage, now: Instant, called: Called): string {
  const { id, state, revision } = stored.record;
  const from = called(stored.record.from);
  const to = called(stored.record.to);
  const who = actingAgent(stored, called);
  if (state === 'draft' && isPerson(stored.record.from)) return `You have not submitted your draft ${id} to ${to} yet.`;
  if (state === 'draft') return `${from} has not submitted its draft ${id} to ${to} yet.`;
  if (state === 'clarifying')
    return `${who} has not yet answered the questions about package ${id}, which is addressed to ${to}.`;
  if (state === 'accepted')
    return `${who} accepted package ${id} from ${from}, but has not reported progress or a result.`;
  if (stored.readRevision === revision)
    return `${who} has read package ${id} from ${from}, but has not accepted or declined it.`;
  return isNotified(stored)
    ? `${who} was notified${agoOf(stored, now)} of package ${id} from ${from} and has not opened it.`
    : `Package ${id} from ${from} waits for ${to}, which Baton could not notify yet.`;
}

const isNotified = (stored: StoredPackage): boolean =>
  isAnnounced(stored) && stored.announced?.endsWith('-refused') !== true;

const agoOf = ({ told }: StoredPackage, now: Instant): string =>
  told == null ? '' : ` ${durationInWords(Math.max(0, msBetween(told.at, now)))} ago`;

function decisionWanted({ record, content }: StoredPackage, from: string): string {
  const { id, gate } = record;
  return gate === null
    ? `${from} asks you to decide (${id}): ${content.to.reason}`
    : `Gate "${content.gate?.name ?? id}" of ${from} waits for your decision (${id}).`;
}

/**
 * Returns the sentence about questions that a person must answer: questions about the person's own package, questions
 * to a sender that has ended, or questions that are still open after three rounds (SPEC P18).
 */
function answerWanted(
  { id, from: sender, round, askedBy, questions }: StoredPackage['record'],
  from: string,
  to: string,
): string {
  const asked = questions.map(({ text }) => text).join(' / ');
  if (isPerson(sender)) return `${to} asks about your package ${id}: ${asked}`;
  if (round > MAX_ROUNDS)
    return `${to} still has questions about ${id} from ${from} after ${MAX_ROUNDS} rounds: ${asked}`;
  return `${askedBy === 'human' ? 'You' : to} asked about ${id}, but its author ${from} has ended: ${asked}`;
}
