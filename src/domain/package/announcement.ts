import { withRef } from '../handoff/messages.ts';
import { HUMAN } from './package.ts';
import { endCause, hearsOfEnd, isEndUntold } from './package-end.ts';
import { isTerminal, type PackageRecord } from './record.ts';
import { type StoredPackage, tellsOfRun } from './stored-package.ts';
import { theTool } from './tools.ts';

export interface Announcement {
  /** The name of the agent that must act. */
  readonly to: string;
  /** The same for the same cause: nobody is told twice of it. */
  readonly cause: string;
}

/** Which agent has to be told of this package, and has not been; undefined: none. */
export function announcementOf(stored: StoredPackage): Announcement | undefined {
  const { record, announced } = stored;
  // The run has told its successor already.
  if (tellsOfRun(stored)) return undefined;
  if (isTerminal(record)) return endOf(stored);
  const whom = whoMustAct(record);
  if (whom === HUMAN) return undefined;
  const cause = causeOf(record);
  if (announced === null || !announced.startsWith(cause)) return { to: whom, cause };
  // Nothing of it was typed, and the waiter is late by now: once more, and not again.
  return announced === refusedCause(cause) && record.reminders > 0 ? { to: whom, cause: `${cause}-again` } : undefined;
}

const causeOf = ({ state, revision, round }: PackageRecord): string => `${state}-${revision}-${round}`;

function endOf(stored: StoredPackage): Announcement | undefined {
  const { record, announced } = stored;
  if (!isEndUntold(stored)) return undefined;
  const cause = endCause(record);
  return {
    to: hearsOfEnd(stored) === 'sender' ? record.from : record.to,
    cause: announced === refusedCause(cause) ? `${cause}-again` : cause,
  };
}

function whoMustAct(record: PackageRecord): string {
  const { state, from, to, revision } = record;
  if (state === 'pending' || (state === 'delivered' && revision > 1)) return to;
  // What was asked, and what was approved, is for the sender, unless it is gone.
  if (isAnswered(record)) return from;
  const isBack = state === 'clarifying' || isApproved(record);
  return isBack && record.owner === 'sender' ? from : HUMAN;
}

/** Their words are read with the decision, as data. */
function underConditions({ decision }: PackageRecord): string {
  const count = decision?.conditions.length ?? 0;
  return count === 0
    ? ''
    : ` under ${count} ${count === 1 ? 'condition' : 'conditions'}: read ${count === 1 ? 'it' : 'them'} with ${theTool('gate_list')}; your next packages carry ${count === 1 ? 'it' : 'them'} on`;
}

const isApproved = ({ state, gate }: PackageRecord): boolean => state === 'accepted' && gate !== null;

/** A person has said what an agent had asked; nobody else would tell it. */
const isAnswered = ({ state, gate, from, to, senderGone }: PackageRecord): boolean =>
  state === 'accepted' && gate === null && to === HUMAN && from !== HUMAN && !senderGone;

export const refusedCause = (cause: string): string => `${cause}-refused`;

export const announcementRef = (id: string, agentId: number, cause: string): string =>
  `package-${id.toLowerCase()}-${agentId}-${cause.replaceAll('_', '-')}`;

/** Was what was announced of it about what it is now? */
export const isAnnounced = ({ record, announced }: StoredPackage): boolean =>
  announced?.startsWith(isTerminal(record) ? endCause(record) : causeOf(record)) ?? false;

/** Ids and names only: what a package says is read by whoever fetches it, as data and with the report of the host. */
export function announcementText(told: readonly Pick<StoredPackage, 'record'>[], ref: string): string {
  const records = told.map(({ record }) => record);
  const waiting = records.filter((record) => !isNews(record));
  const sentences = [inOne(waiting, waitingInWords), inOne(records.filter(isNews), newsInWords)].flat();
  return withRef(`Baton: ${sentences.join('. Baton: ')}.`, ref);
}

type Records = readonly PackageRecord[];

/** One is told by its own sentence. */
const inOne = (records: Records, many: (records: Records) => string): readonly string[] =>
  records.length > 1 ? [many(records)] : records.map(sentence);

/** Nothing is to be done about it, so it does not stand in the inbox. */
const isNews = (record: PackageRecord): boolean => isTerminal(record) || isAnswered(record);

/** So many are named. */
const NAMED = 3;

const named = (records: Records, word: (record: PackageRecord) => string): string => {
  const rest = records.length - NAMED;
  return `${records.slice(0, NAMED).map(word).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
};

const waitingInWords = (records: Records): string =>
  `${records.length} packages wait for you: ${named(records, ({ id, type, from }) => `${id} (${type} from ${from})`)}. List them with ${theTool('handoff_inbox')}, or by command: baton package inbox - then take one after the other with ${theTool('handoff_receive')}, or by command: baton package receive ID`;

const newsInWords = (records: Records): string =>
  `${records.length} packages that you sent or had need no work of yours: ${named(records, ({ id, state }) => `${id} is ${state}`)}. Read what became of each: handoff://ID, or by command: baton package show ID`;

/** By tool, and by command for an agent that has no tools. */
function sentence(record: PackageRecord): string {
  const { id, type, from, to, state } = record;
  if (isTerminal(record))
    return `${endInWords(record)}. Why: read handoff://${id}, or by command: baton package show ${id}`;
  if (state === 'clarifying') {
    const who = record.askedBy === 'human' ? 'the operator' : to;
    return `${who} asks about your package ${id}. See the questions with ${theTool('handoff_inbox')}, then answer all of them with ${theTool('handoff_answer')}. Or by command: baton package show ${id} - then: baton package answer ${id} "ID=TEXT"`;
  }
  if (isApproved(record))
    return `the operator approved your gate ${id}${underConditions(record)}. Begin the next step with ${theTool('handoff_complete')} on ${id}, or by command: baton package complete ${id}`;
  if (isAnswered(record))
    return `the operator has decided your escalation ${id}. Read the decision and go on by it: ${theTool('gate_list')}, or by command: baton package show ${id}`;
  return `package ${id} (${type}) from ${from} waits for you. Read it and what the host sees of it with ${theTool('handoff_receive')}, or by command: baton package receive ${id} - it ends with what you can do next`;
}

function endInWords({ id, state, from, to, endedBy, supersededBy }: PackageRecord): string {
  const whose = endedBy === 'operator' ? 'the operator' : from;
  switch (state) {
    case 'rejected':
      return `${to} has declined your package ${id}, and nobody works on it`;
    case 'cancelled':
      return `${whose} has cancelled package ${id} from ${from} to ${to}, so nobody works on it any more`;
    case 'superseded':
      return `package ${id} from ${from} is superseded by ${supersededBy}, so do not go on with it`;
    default:
      return `your package ${id} to ${to} has ${state}, and nobody works on it`;
  }
}
