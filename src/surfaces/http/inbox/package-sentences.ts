import { stateLook } from '../../../contract/words/package-state-words.ts';
import { because, count, field, inBrackets, oneLine, quoted, type Teller, time, words } from './event-words.ts';

const id = (data: Parameters<Teller>[0]): string => oneLine(data.packageId);
const fact = (data: Parameters<Teller>[0], name: string): unknown => field(data.fact, name);
const stored = (data: Parameters<Teller>[0]): string => String(field(data.record, 'state') ?? '');
const state = (data: Parameters<Teller>[0]): string => stateLook(stored(data)).word.toLowerCase();

const ACTORS: Readonly<Record<string, string>> = {
  sender: 'the sender',
  receiver: 'the receiver',
  operator: 'a person',
  human: 'a person',
  host: 'Baton',
  orchestrator: 'Baton',
};
const actor = (value: unknown): string => ACTORS[String(value)] ?? oneLine(value);
const by = (data: Parameters<Teller>[0]): string => ` by ${actor(fact(data, 'by'))}`;

const DECIDED: Readonly<Record<string, string>> = {
  approve: 'was approved by',
  reject: 'was rejected by',
  question: 'got a question from',
};

/** The sentences for package events. The page of a package shows the same sentences. */
export const PACKAGE: Readonly<Record<string, Teller>> = {
  package_created: (data) =>
    `${id(data)} was created: ${words(field(data.record, 'type'))} from ${oneLine(field(data.record, 'from'))} to ${oneLine(field(data.record, 'to'))}`,
  package_edited: (data) => `${id(data)} was edited${by(data)}`,
  package_waived: (data) => `An error in ${id(data)} was overridden by a person`,
  package_sealed: (data) => `${id(data)} was submitted${by(data)}`,
  package_announced: (data) =>
    field(data.changes, 'announced') === null
      ? `The agent that was notified about ${id(data)} ended before it opened the package`
      : `Baton notified an agent about ${id(data)}`,
  package_receiver_started: (data) => receiverStarted(data),
  package_held_up: (data) => heldUp(data),
  package_reminded: (data) => `A person asked Baton to remind the agent of ${id(data)}`,
  package_restored: (data) => `The cancellation of ${id(data)} was undone by a person`,
  package_reassigned: (data) =>
    `${id(data)} was reassigned from ${oneLine(fact(data, 'from'))} to ${oneLine(fact(data, 'to'))} by a person${quoted(data.said)}`,
  package_stopped: (data) =>
    field(data.changes, 'stopped') === null
      ? `The workflow continues after ${id(data)}`
      : `The workflow stopped after ${id(data)}: the work was not passed on to the next step`,
  package_read: (data, who) => `${id(data)} was read by ${who}`,
  package_delivery_seen: (data) => `${id(data)} was ${words(fact(data, 'verdict'))}`,
  package_gate_opened: (data) => `${id(data)} needs your decision`,
  package_acknowledged: (data) => acknowledged(data),
  package_answered: (data) => `The questions about ${id(data)} were answered${by(data)}`,
  package_declined: (data) => `${id(data)} was declined${inBrackets(fact(data, 'code'))}${quoted(data.said)}`,
  package_decided: (data) =>
    `${id(data)} ${DECIDED[String(fact(data, 'option'))] ?? 'was decided by'} ${oneLine(fact(data, 'by'))}${inBrackets(fact(data, 'channel'))}${quoted(fact(data, 'reason'))}`,
  package_content_seen: (data) =>
    `An artifact of ${id(data)} changed, so earlier approvals of its items no longer count`,
  package_gate_passed: (data) =>
    stored(data) === 'completed'
      ? `The step after ${id(data)} started`
      : `${id(data)} changed after its approval and needs your decision again`,
  package_progressed: (data) => `Progress on ${id(data)}${quoted(data.said)}`,
  package_completed: (data) => `${id(data)} was completed${by(data)}${quoted(data.said)}`,
  package_failed: (data) => `${id(data)} failed${because(fact(data, 'cause'))}`,
  package_session_ended: (data) =>
    `The session of ${actor(fact(data, 'whose'))} of ${id(data)} ended; the package is ${state(data)}`,
  package_cancelled: (data) => `${id(data)} was canceled${by(data)}${quoted(data.said)}`,
  package_superseded: (data) => `${id(data)} was replaced by ${oneLine(fact(data, 'byPackage'))}`,
  package_clock_ticked: (data) =>
    field(data.record, 'deadlineAt') === null
      ? `${id(data)} passed its deadline and is now ${state(data)}`
      : `${id(data)} is late; a reminder went to ${actor(field(data.record, 'waiter'))}`,
  package_deadline_restarted: (data) =>
    `The deadline of ${id(data)} began again, because the clock was set back or the timer was shortened; it ends on ${time(field(data.record, 'deadlineAt'))}`,
};

function acknowledged(data: Parameters<Teller>[0]): string {
  const said = fact(data, 'acknowledgement');
  const asked = [field(said, 'questions'), field(said, 'blockers')].flat().filter((each) => each !== undefined);
  if (field(said, 'level') === 'full') return `${id(data)} was accepted${quoted(field(said, 'task'))}`;
  return `The receiver asked ${count(asked.length, 'question', 'questions')} about ${id(data)}${quoted(asked[0])}`;
}

function heldUp(data: Parameters<Teller>[0]): string {
  const agent = field(field(data.changes, 'heldUp'), 'agentId');
  return agent === undefined
    ? `${id(data)} is no longer waiting for an adopted agent`
    : `${id(data)} is waiting for agent ${oneLine(agent)}, which was adopted and has no package tools`;
}

function receiverStarted(data: Parameters<Teller>[0]): string {
  const start = field(data.changes, 'start');
  const [agent, problem] = [field(start, 'agentId'), field(start, 'problem')];
  if (typeof problem === 'string') return `No agent was started for ${id(data)}${because(problem)}`;
  return `Agent ${oneLine(agent)} was started for ${id(data)}`;
}
