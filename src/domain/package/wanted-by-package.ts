import type { InboxKind, InboxWish } from '../inbox.ts';
import { onOneLine } from '../plain-text.ts';
import { heldUpBy, heldUpHint, heldUpSentence } from './held-up.ts';
import { HUMAN } from './package.ts';
import { type StoredPackage, tellsOfRun } from './stored-package.ts';

/** The items of a package are found by this. */
export const packageKey = (id: string): string => `package/${id}/`;

export const packageOfKey = (key: string): string | null => /^package\/([^/]+)\//.exec(key)?.[1] ?? null;

/** What a package needs a person for, right now. Derived from what it is, never from how it got there. */
export function wantedByPackage(stored: StoredPackage): readonly InboxWish[] {
  const { record } = stored;
  const { id, from, to, state } = record;
  const show = `baton package show ${id}`;
  const wishes: InboxWish[] = [];
  // What its run needs a person for, the run itself says.
  if (tellsOfRun(stored)) return wishes;
  const wish = (what: string, kind: InboxKind, sentence: string, hint: string) =>
    wishes.push({ key: `${packageKey(id)}${what}`, kind, sentence: onOneLine(sentence), hint });
  if (state === 'awaiting_human')
    wish(
      // A reminder is an item of its own: it is sent out again.
      `decide/${record.revision}/${record.round}/${record.reminders}`,
      'decision',
      `${whatWaits(stored)}${record.reminders > 0 ? ' It has waited for long.' : ''}`,
      isAsked(stored)
        ? `Answer: baton package answer ${id} ${record.questions.map((question) => `${question.id}=TEXT`).join(' ')}, or decide: baton package decide ${id} approve|reject --reason TEXT`
        : `Read it (${show}), then: baton package decide ${id} approve|reject|question --reason TEXT`,
    );
  if (state === 'clarifying' && (from === HUMAN || record.owner === 'orchestrator'))
    wish(
      `answer/${record.round}`,
      'question',
      `${record.askedBy === 'human' ? 'You' : to} asked about ${id} and ${from === HUMAN ? 'you are' : 'nobody is'} there to answer: ${record.questions.map(({ text }) => text).join(' / ')}`,
      `Answer: baton package answer ${id} QUESTION=TEXT`,
    );
  const { problem = null } = stored.start ?? {};
  if (state === 'pending' && problem !== null)
    wish(
      `not-started/${stored.start?.agentId ?? 'none'}`,
      'failure',
      `Package ${id} waits for ${to}, and Baton could not start an agent with this persona: ${problem}.`,
      `Start one yourself: baton agent start --persona ${to}`,
    );
  const heldUp = heldUpBy(stored);
  // Told once: that nobody acts on it for long is no news then.
  if (heldUp !== undefined)
    wish(`held-up/${heldUp.name}`, 'decision', heldUpSentence(stored, heldUp), heldUpHint(stored, heldUp));
  else if (record.reminders > 1 && state !== 'awaiting_human')
    wish(
      `late/${state}/${record.revision}`,
      'decision',
      isYours(record)
        ? `You have decided ${id} of ${from}, and it is still open: say whether it is done.`
        : `Package ${id} from ${from} to ${to} is ${state}, and its ${record.waiter} does not act.`,
      isYours(record)
        ? `Done: baton package complete ${id} - not possible: baton package fail ${id} --cause TEXT`
        : `See ${show}; take it back with: baton package cancel ${id}`,
    );
  // An agent that sent it is told by Baton; a person, or nobody, is not.
  if (state === 'rejected' && record.decision === null && (from === HUMAN || record.senderGone))
    wish('declined', 'notice', `${to} has declined package ${id} of ${from}: ${record.cause}.`, `See: ${show}`);
  if (state === 'expired' || state === 'failed')
    wish(
      state,
      'notice',
      `Package ${id} from ${from} to ${to} has ${state}${record.cause === null ? '' : `: ${record.cause}`}.`,
      `See: ${show}`,
    );
  return wishes;
}

function whatWaits({ record, content }: StoredPackage): string {
  const { id, from, to, round, gate } = record;
  if (gate !== null) return `Gate "${content.gate?.name ?? id}" of ${from} waits for your decision (${id}).`;
  if (to === HUMAN) return `${from} asks you to decide (${id}): ${content.to.reason}`;
  const asked = record.questions.map(({ text }) => text).join(' / ');
  return `${to} has not understood ${id} of ${from} after ${round - 1} rounds of questions. It asks: ${asked}`;
}

/** P18. The receiver's own questions, which a person can answer as the sender could. */
const isAsked = ({ record }: StoredPackage): boolean => record.askedBy === 'receiver' && record.questions.length > 0;

const isYours = ({ state, owner }: StoredPackage['record']): boolean => state === 'accepted' && owner === 'human';
