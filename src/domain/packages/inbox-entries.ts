import type { InboxEntry, InboxKind } from '../inbox/inbox.ts';
import { onOneLine } from '../plain-text.ts';
import { isAnnounced } from './announcement.ts';
import { isPerson } from './content/package.ts';
import { heldUpBy, heldUpHint, heldUpSentence } from './held-up.ts';
import { MAX_ROUNDS } from './package-facts.ts';
import { isTerminal } from './record.ts';
import { isHandoffPackage, type StoredPackage } from './stored-package.ts';

/** The inbox items that a package needs now. They depend only on its current state, not on its history. */
export function inboxEntriesForPackage(stored: StoredPackage): readonly InboxEntry[] {
  const { record } = stored;
  const { id, from, to, state } = record;
  const show = `baton package show ${id}`;
  const entries: InboxEntry[] = [];
  // A handoff run opens its own inbox items, so its package needs no further ones.
  if (isHandoffPackage(stored)) return entries;
  const addEntry = (what: string, kind: InboxKind, sentence: string, hint: string) =>
    entries.push({ cause: { of: 'package', packageId: id, what }, kind, sentence: onOneLine(sentence), hint });
  if (state === 'pending' && record.waiter === 'human')
    addEntry(
      // Each reminder is a new item, so that the operator is notified again.
      `decide/${record.revision}/${record.round}/${record.reminders}`,
      'decision',
      `${decisionWanted(stored)}${record.reminders > 0 ? ' It is overdue.' : ''}`,
      `Read it (${show}), then: baton package decide ${id} approve|reject|question --reason TEXT`,
    );
  if (state === 'clarifying' && (isPerson(from) || record.waiter === 'human'))
    addEntry(
      `answer/${record.round}`,
      'question',
      answerWanted(record),
      `Answer: baton package answer ${id} ${record.questions.map((question) => `${question.id}=TEXT`).join(' ')}`,
    );
  const { problem = null } = stored.start ?? {};
  if (state === 'pending' && problem !== null)
    addEntry(
      `not-started/${stored.start?.agentId ?? 'none'}`,
      'failure',
      `Package ${id} waits for ${to}, but Baton could not start an agent with this persona: ${problem}.`,
      `Start one yourself: baton agent start --persona ${to}`,
    );
  const heldUp = heldUpBy(stored);
  // A package that is held up gets no second item that says it is late.
  if (heldUp !== undefined)
    addEntry(`held-up/${heldUp.name}`, 'decision', heldUpSentence(stored, heldUp), heldUpHint(stored, heldUp));
  else if (record.reminders > 1 && record.waiter !== 'human')
    addEntry(`late/${state}/${record.revision}`, 'decision', overdueSentence(stored), overdueHint(stored));
  // Baton prompts a live sender. If the sender is a person or has ended, an inbox item is opened instead.
  const isUntold = isPerson(from) || record.senderGone;
  if (state === 'rejected' && isUntold && !(isPerson(from) && record.decision !== null))
    addEntry(
      'rejected',
      'notice',
      record.decision === null
        ? `${to} declined package ${id} from ${from}: ${record.cause}.`
        : `You rejected ${id}, but its author ${from} has ended: ${record.cause}.`,
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

function overdueHint({ record }: StoredPackage): string {
  const see = `See it: baton package show ${record.id}`;
  if (isTerminal(record)) return see;
  if (record.state === 'accepted') return `${see}; or end it: baton package fail ${record.id} --cause TEXT`;
  return `${see}; or cancel it: baton package cancel ${record.id}`;
}

/** The sentence about a late package. It names the agent that must act, and what is missing. */
function overdueSentence(stored: StoredPackage): string {
  const { id, from, to, state, revision } = stored.record;
  if (isTerminal(stored.record))
    return `Package ${id} from ${from} to ${to} is ${state}, but ${from} has not been notified of it yet.`;
  if (state === 'draft') return `${from} has not submitted its draft ${id} to ${to} yet.`;
  if (state === 'clarifying') return `${from} has not answered the questions about package ${id} to ${to} yet.`;
  if (state === 'accepted')
    return `${to} accepted package ${id} from ${from}, but has not reported progress or a result.`;
  if (stored.readRevision === revision)
    return `${to} has read package ${id} from ${from}, but has not accepted or declined it.`;
  const isNotified = isAnnounced(stored) && stored.announced?.endsWith('-refused') !== true;
  return isNotified
    ? `${to} was notified of package ${id} from ${from}, but has not opened it.`
    : `Package ${id} from ${from} waits for ${to}, which Baton could not notify yet.`;
}

function decisionWanted({ record, content }: StoredPackage): string {
  const { id, from, gate } = record;
  return gate === null
    ? `${from} asks you to decide (${id}): ${content.to.reason}`
    : `Gate "${content.gate?.name ?? id}" of ${from} waits for your decision (${id}).`;
}

/** P18. A person answers questions about their own package, for a sender that has ended, and after three rounds. */
function answerWanted({ id, from, to, round, askedBy, questions }: StoredPackage['record']): string {
  const asked = questions.map(({ text }) => text).join(' / ');
  if (isPerson(from)) return `${to} asks about your package ${id}: ${asked}`;
  if (round > MAX_ROUNDS)
    return `${to} still has questions about ${id} from ${from} after ${MAX_ROUNDS} rounds: ${asked}`;
  return `${askedBy === 'human' ? 'You' : to} asked about ${id}, but its author ${from} has ended: ${asked}`;
}
