import { withRef } from '../handoffs/prompts/prompts.ts';
import { awaitedName } from './held-up.ts';
import { attemptFor, endCause, isEndUnannounced, notifiedOfEnd } from './package-end.ts';
import { isTerminal, type PackageRecord, stateWord } from './record.ts';
import { isHandoffPackage, type StoredPackage } from './stored-package.ts';
import { theTool } from './tools.ts';

export interface Announcement {
  /** The name of the agent that is notified. */
  readonly to: string;
  /** The cause of the announcement as a key, such as `pending-1-0`. Baton announces each cause only once. */
  readonly cause: string;
}

/** Returns the announcement that must be made for this package; undefined if there is none. */
export function announcementOf(stored: StoredPackage): Announcement | undefined {
  const { record, announced } = stored;
  // Baton announces no package of a handoff run, because the run itself has sent a prompt to the successor.
  if (isHandoffPackage(stored)) return undefined;
  const again = reminderFor(stored);
  const isReminded = again !== undefined && stored.remind?.cause === again.cause;
  if (isTerminal(record)) return endOf(stored) ?? (isReminded ? unlessMade(stored, again) : undefined);
  const { state, revision, reminders, waiter } = record;
  const name = awaitedName(record);
  const isRead = waiter === 'receiver' && stored.readRevision === revision;
  if (name === undefined || (!isReminded && (isRead || state === 'accepted'))) return undefined;
  const cause = isReminded ? reminderCause(stored, again) : causeOf(record);
  const attempt = attemptFor(cause, announced);
  if (attempt === 'none') return { to: name, cause };
  // If the announcement could not be typed (`refused`), Baton repeats it only once, and only after the agent has missed
  // a deadline.
  return attempt === 'refused' && reminders > 0 ? { to: name, cause: `${cause}-again` } : undefined;
}

/**
 * Returns the announcement that a reminder repeats: the name of the agent that gets the reminder, and the cause of the
 * announcement (SPEC P37). Returns undefined if the package waits for no agent.
 */
export function reminderFor(stored: StoredPackage): Announcement | undefined {
  const { record, stopped } = stored;
  if (isHandoffPackage(stored)) return undefined;
  if (isTerminal(record)) return stopped ? { to: record.to, cause: STOPPED } : undefined;
  const to = awaitedName(record);
  return to === undefined ? undefined : { to, cause: causeOf(record) };
}

const STOPPED = 'stopped';

const reminderCause = ({ remind }: StoredPackage, { cause }: Announcement): string =>
  `${cause}-remind-${remind?.count ?? 0}`;

function unlessMade(stored: StoredPackage, again: Announcement): Announcement | undefined {
  const cause = reminderCause(stored, again);
  return attemptFor(cause, stored.announced) === 'none' ? { to: again.to, cause } : undefined;
}

const isAboutStop = ({ announced }: { readonly announced?: string | null }): boolean =>
  announced?.startsWith(`${STOPPED}-`) === true;

const causeOf = ({ state, revision, round }: PackageRecord): string => `${state}-${revision}-${round}`;

function endOf(stored: StoredPackage): Announcement | undefined {
  const { record, announced } = stored;
  if (!isEndUnannounced(stored)) return undefined;
  const cause = endCause(record);
  return {
    to: notifiedOfEnd(stored) === 'sender' ? record.from : record.to,
    cause: attemptFor(cause, announced) === 'refused' ? `${cause}-again` : cause,
  };
}

export const announcementRef = (id: string, agentId: number, cause: string): string =>
  `package-${id.toLowerCase()}-${agentId}-${cause.replaceAll('_', '-')}`;

/**
 * Returns whether Baton has tried to announce the package in its current state, even if the announcement was refused.
 */
export const isAnnounced = ({ record, announced }: StoredPackage): boolean =>
  isAboutStop({ announced }) ||
  attemptFor(isTerminal(record) ? endCause(record) : causeOf(record), announced) !== 'none';

/**
 * Returns the prompt for an announcement. The prompt contains only ids and names; the agent reads the content of the
 * packages with a tool or a command.
 */
export function announcementText(told: readonly Announced[], ref: string): string {
  const stopped = told.filter(isAboutStop);
  const records = told.filter((each) => !isAboutStop(each)).map(({ record }) => record);
  const waiting = records.filter((record) => !isTerminal(record));
  const sentences = [
    inOne(waiting, waitingInWords),
    inOne(records.filter(isTerminal), newsInWords),
    stopped.map(stoppedSentence),
  ].flat();
  return withRef(`Baton: ${sentences.join('. Baton: ')}.`, ref);
}

type Announced = Pick<StoredPackage, 'record'> & Partial<Pick<StoredPackage, 'announced' | 'stopped'>>;
type Records = readonly PackageRecord[];

/**
 * Returns the sentence about a stopped workflow. The sentence does not say that the reader completed the package,
 * because a later agent with the same persona may read it.
 */
const stoppedSentence = ({ record, stopped }: Announced): string =>
  `package ${record.id} (step ${stopped?.step ?? '?'} of the workflow ${stopped?.workflow ?? '?'}) is completed, but nothing was passed on to the next step. Send a package for step ${stopped?.nextStep ?? '?'} to ${stopped?.nextAgent ?? '?'} with ${theTool('handoff_create')}, or by command: baton package create FILE`;

/**
 * Returns one common sentence for several packages. For a single package, returns a more specific sentence about that
 * package.
 */
const inOne = (records: Records, many: (records: Records) => string): readonly string[] =>
  records.length > 1 ? [many(records)] : records.map(sentence);

/** The maximum number of packages that an announcement names. */
const NAMED = 3;

const named = (records: Records, word: (record: PackageRecord) => string): string => {
  const rest = records.length - NAMED;
  return `${records.slice(0, NAMED).map(word).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
};

const waitingInWords = (records: Records): string =>
  `${records.length} packages wait for you: ${named(records, ({ id, type, from }) => `${id} (${type} from ${from})`)}. List them with ${theTool('handoff_inbox')}, or by command: baton package inbox - then read each with ${theTool('handoff_receive')}, or by command: baton package receive ID`;

const newsInWords = (records: Records): string =>
  `${records.length} packages are over: ${named(records, newsOf)}. Read each with ${theTool('handoff_receive')}, or by command: baton package show ID`;

function newsOf({ id, state, gate, decision }: PackageRecord): string {
  if (decision === null) return `${gate === null ? '' : 'gate '}${id} is ${stateWord(state)}`;
  if (decision.option === 'reject') return `the operator rejected ${gate === null ? 'escalation' : 'gate'} ${id}`;
  return gate === null ? `the operator decided escalation ${id}` : `the operator approved gate ${id}`;
}

/** Returns the sentence about one package. The sentence names a tool and, for an agent without tools, a command. */
function sentence(record: PackageRecord): string {
  const { id, type, from, to, state, decision, gate } = record;
  if (decision !== null && isTerminal(record)) return decided(record);
  if (isTerminal(record))
    return `${endInWords(record)}. Read why with ${theTool('handoff_receive')}, or by command: baton package show ${id}`;
  if (state === 'accepted')
    return `package ${id} from ${from}, which you accepted, has no result yet. Report progress with ${theTool('handoff_progress')}, or by command: baton package progress ${id} - or complete it with ${theTool('handoff_complete')}, or by command: baton package complete ${id}`;
  if (state === 'clarifying') {
    const asker = record.askedBy === 'human' ? 'the operator' : to;
    return `${asker} asks about your ${gate === null ? 'package' : 'gate'} ${id}. See the questions with ${theTool('handoff_inbox')}, then answer all of them with ${theTool('handoff_answer')}. Or by command: baton package show ${id} - then: baton package answer ${id} "ID=TEXT"`;
  }
  return `package ${id} (${type}) from ${from} waits for you. Read it and Baton's report about it with ${theTool('handoff_receive')}, or by command: baton package receive ${id} - the output ends with what you can do next`;
}

function decided({ id, gate, decision }: PackageRecord): string {
  const what = gate === null ? `escalation ${id}` : `gate ${id}`;
  const read = `Read the decision with ${theTool('handoff_receive')}, or by command: baton package show ${id}`;
  if (decision?.option === 'reject')
    return `the operator rejected your ${what}. ${read} - then fix what was rejected and submit a new package`;
  const conditions = decision?.conditions.length ?? 0;
  const under = conditions === 0 ? '' : ` under ${conditions} ${conditions === 1 ? 'condition' : 'conditions'}`;
  return gate === null
    ? `the operator has decided your ${what}. ${read} - and continue accordingly`
    : `the operator approved your ${what}${under}. ${read}. Continue with the next step now: ${id} is over, so name it in the package that follows it: lineage.parent: ${id}`;
}

function endInWords({ id, state, from, to, endedBy, supersededBy }: PackageRecord): string {
  switch (state) {
    case 'rejected':
      return `${to} has declined your package ${id}, so it is not being worked on`;
    case 'cancelled':
      return supersededBy === null
        ? `${endedBy === 'operator' ? 'the operator' : from} has canceled package ${id} from ${from} to ${to}, so stop any work on it`
        : `package ${id} from ${from} is superseded by ${supersededBy}, so do not continue with it`;
    default:
      return `your package ${id} to ${to} has failed, so it is not being worked on`;
  }
}
