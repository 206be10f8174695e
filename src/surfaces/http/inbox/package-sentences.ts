import { because, count, field, inBrackets, oneLine, quoted, type Teller, words } from './event-words.ts';

const id = (data: Parameters<Teller>[0]): string => oneLine(data.packageId);
const fact = (data: Parameters<Teller>[0], name: string): unknown => field(data.fact, name);
const state = (data: Parameters<Teller>[0]): string => words(field(data.record, 'state'));

const ACTORS: Readonly<Record<string, string>> = {
  sender: 'its sender',
  receiver: 'its receiver',
  operator: 'a person',
  host: 'Baton',
};
const by = (data: Parameters<Teller>[0]): string =>
  ` by ${ACTORS[String(fact(data, 'by'))] ?? oneLine(fact(data, 'by'))}`;

const DECIDED: Readonly<Record<string, string>> = {
  approve: 'was approved',
  reject: 'was rejected',
  question: 'was asked about',
};

/** Sentences for package events; the page of a package uses them too. */
export const PACKAGE: Readonly<Record<string, Teller>> = {
  package_created: (data) =>
    `${id(data)} was written: ${words(field(data.record, 'type'))} from ${oneLine(field(data.record, 'from'))} to ${oneLine(field(data.record, 'to'))}`,
  package_edited: (data) => `${id(data)} was written anew${by(data)}`,
  package_waived: (data) => `A person answers for an error of ${id(data)}`,
  package_sealed: (data) => `${id(data)} was sealed${by(data)}`,
  package_announced: (data) => `Who has to act was told of ${id(data)}`,
  package_receiver_started: (data) => receiverStarted(data),
  package_held_up: (data) => heldUp(data),
  package_read: (data, who) => `${id(data)} was read by ${who}`,
  package_delivery_seen: (data) => `${id(data)} was ${words(fact(data, 'verdict'))}`,
  package_gate_opened: (data) => `${id(data)} waits for a person`,
  package_acknowledged: (data) => acknowledged(data),
  package_answered: (data) => `The questions about ${id(data)} were answered${by(data)}`,
  package_declined: (data) => `${id(data)} was declined${inBrackets(fact(data, 'code'))}${quoted(data.said)}`,
  package_decided: (data) =>
    `${id(data)} ${DECIDED[String(fact(data, 'option'))] ?? 'was decided'} by ${oneLine(fact(data, 'by'))}${inBrackets(fact(data, 'channel'))}${quoted(fact(data, 'reason'))}`,
  package_content_seen: (data) => `An artifact of ${id(data)} has changed; what was ticked so far does not count`,
  package_gate_passed: (data) =>
    state(data) === 'completed'
      ? `The step after ${id(data)} began`
      : `${id(data)} has changed since its approval, so it waits for a person again`,
  package_progressed: (data) => `${id(data)} is worked on${quoted(data.said)}`,
  package_completed: (data) => `${id(data)} was completed${by(data)}${quoted(data.said)}`,
  package_failed: (data) => `${id(data)} failed${because(fact(data, 'cause'))}`,
  package_session_ended: (data) =>
    `The session of the ${words(fact(data, 'whose'))} of ${id(data)} ended; it is ${state(data)}`,
  package_cancelled: (data) => `${id(data)} was cancelled${by(data)}${quoted(data.said)}`,
  package_superseded: (data) => `${id(data)} was replaced by ${oneLine(fact(data, 'byPackage'))}`,
  package_clock_ticked: (data) =>
    field(data.record, 'deadlineAt') === null
      ? `The time of ${id(data)} is over; it is ${state(data)}`
      : `${id(data)} is late: the ${words(field(data.record, 'waiter'))} was reminded`,
};

function acknowledged(data: Parameters<Teller>[0]): string {
  const said = fact(data, 'acknowledgement');
  const asked = [field(said, 'questions'), field(said, 'blockers')].flat().filter((each) => each !== undefined);
  if (field(said, 'level') === 'full') return `${id(data)} was understood and taken${quoted(field(said, 'task'))}`;
  return `${id(data)} was not understood in full: ${count(asked.length, 'question', 'questions')}${quoted(asked[0])}`;
}

function heldUp(data: Parameters<Teller>[0]): string {
  const agent = field(field(data.changes, 'heldUp'), 'agentId');
  return agent === undefined
    ? `${id(data)} waits for an adopted agent no more`
    : `${id(data)} waits for agent ${oneLine(agent)}, which was adopted and has no package tools`;
}

function receiverStarted(data: Parameters<Teller>[0]): string {
  const start = field(data.changes, 'start');
  const [agent, problem] = [field(start, 'agentId'), field(start, 'problem')];
  if (typeof problem === 'string') return `Nobody was started for ${id(data)}${because(problem)}`;
  return `Agent ${oneLine(agent)} was started for ${id(data)}`;
}
