import { EVENT_KINDS, type Event, type EventKind } from '../../../contract/resources.ts';
import { actionName } from '../../../contract/words/action-words.ts';
import { stepNow } from '../../../contract/words/step-words.ts';
import type { Hold } from '../../../domain/handoffs/policy/auto-handoff.ts';
import { HOLD_WORDS } from '../../../domain/handoffs/policy/decide.ts';
import { because, count, field, inBrackets, isText, oneLine, quoted, type Teller, time, words } from './event-words.ts';
import { PACKAGE } from './package-sentences.ts';

const SEEN_AT_REST: Readonly<Record<string, string>> = {
  interrupted: 'an empty composer and an interrupted turn',
  prompt_returned: "Baton's prompt in the composer again and no work",
  draft: 'unsent text in the composer and no work',
};

/**
 * The words for each kind of evidence that an agent is idle. The screen is not listed, because the screen alone is not
 * enough evidence.
 */
const REST_SAID: Readonly<Record<string, string>> = {
  status: "its client's status file says that it is idle",
  transcript: 'its transcript ends with an interruption',
  hooks: 'its hooks have reported no turn since the last one ended',
};

/**
 * The ending of a sentence that reports an agent's new state. The words are the same as on the state badge of the page.
 */
const STATES: Readonly<Record<string, string>> = {
  awaiting_input: 'needs you',
  unknown: 'is in an unknown state',
  ended: 'has ended',
  lost: 'was lost',
};

/** The names of the prompts, as shown on the page of a handoff. */
const PURPOSES: Readonly<Record<string, string>> = {
  injection: 'handoff prompt',
  exit: 'exit command',
  package: 'package notification',
  continue: 'prompt to continue',
};

/**
 * Describes a prompt in words. The log names the prompt by a reference such as `message-3`, which a person would not
 * understand.
 */
function promptName(ref: string): string {
  if (ref.startsWith('message-')) return "the operator's message";
  if (ref.startsWith('package-')) return 'a package notification';
  const purpose = /-(skill|instruction|injection|exit|stop|continue)\b/.exec(ref)?.[1];
  if (purpose === undefined) return `Baton's prompt ${ref}`;
  return `the ${purpose === 'stop' ? PURPOSES.exit : (PURPOSES[purpose] ?? purpose)}`;
}

/**
 * The reason that the log gives for an ordinary exit of an agent. Sentences leave this reason out, because they already
 * say that the agent has ended.
 */
const ENDED = 'its process has ended';

/** The words for the sources of a session. A session of a new agent needs no words. */
const SESSION_STARTS: Readonly<Record<string, string>> = {
  startup: '',
  resume: ' (resumed)',
  clear: ' (after its conversation was cleared)',
  compact: ' (after its context was compacted)',
};

/** The reasons for the end of a session that sentences leave out, because they say only that the session has ended. */
const PLAIN_ENDS: ReadonlySet<string> = new Set(['prompt_input_exit', 'other', 'unknown']);

/** Removes the period of a single sentence, because the sentences in the list of events have none. */
const withoutPeriod = (text: string): string => (text.includes('. ') ? text : text.replace(/\.$/, ''));

const AGENT: Readonly<Record<string, Teller>> = {
  agent_created: (_, who) => `${who} was created`,
  agent_launched: ({ pane }, who) => `${who} was started${inPane(pane)}`,
  agent_launch_failed: ({ detail }, who) => `${who} could not be started${because(detail)}`,
  agent_state_changed: ({ to, reason }, who) =>
    `${who} ${STATES[String(to)] ?? `is ${words(to)}`}${reason === ENDED ? '' : because(reason)}`,
  agent_warning: ({ sentence }) => oneLine(sentence),
  agent_stop_asked: ({ force }, who) => (force === true ? `${who} is being killed` : `${who} was asked to exit`),
  agent_said_idle: (_, who) => `${who} reported that it is waiting for a prompt`,
  agent_seen_ready: ({ by }, who) =>
    by === 'screen'
      ? `Baton saw twice that ${who} shows an empty composer; its session begins with its first prompt`
      : `The client of ${who} reports that it is idle; its session begins with its first prompt`,
  agent_seen_idle: ({ shows, by }, who) =>
    by === 'api'
      ? `The client of ${who} reports through its API that it is idle`
      : [
          `Baton saw twice on the screen of ${who}: ${SEEN_AT_REST[String(shows)] ?? 'an empty composer and no work'}`,
          REST_SAID[String(by)],
        ]
          .filter(Boolean)
          .join('; '),
  agent_seen_working: ({ by, doing }, who) =>
    by === 'status' || by === 'api'
      ? `${who} is working: its client's ${by === 'api' ? 'API' : 'status file'} says so`
      : `${who} was observed working${because(doing)}`,
  agent_seen_unknown: ({ line }, who) =>
    isText(line)
      ? `Baton does not recognize this line on the screen of ${who}${quoted(line)}`
      : `Baton saw an empty composer on the screen of ${who}, but no hook has reported the end of its turn`,
  agent_seen_asking: ({ question }, who) => `${who} was observed asking${quoted(question)}`,
  agent_process_gone: ({ detail }, who) => `The process of ${who} ended${detail === ENDED ? '' : because(detail)}`,
  agent_pane_lost: ({ detail }, who) => `The tmux pane of ${who} was lost${because(detail)}`,
  agent_interrupted: ({ refusal }, who) =>
    isText(refusal) ? `${who} could not be interrupted${because(refusal)}` : `${who} was interrupted`,
  agent_start_overdue: ({ detail }, who) => `${who} is taking too long to start${because(detail)}`,
  session_started: ({ source, skillGiven }, who) =>
    `${who} started a session${SESSION_STARTS[String(source)] ?? inBrackets(source)}${isText(skillGiven) ? ` with the skill ${oneLine(skillGiven)}` : ''}`,
  session_ended: ({ reason }, who) =>
    `The session of ${who} ended${PLAIN_ENDS.has(String(reason)) ? '' : inBrackets(reason)}`,
  prompt_submitted: ({ ref, excerpt }, who) =>
    isText(ref) ? `${who} received ${promptName(ref)}` : `${who} received a prompt${quoted(excerpt)}`,
  prompt_found_in_transcript: ({ ref }, who) => `The transcript of ${who} contains ${promptName(oneLine(ref))}`,
  prompt_typed: ({ purpose, outcome }, who) => typing(PURPOSES[String(purpose)] ?? words(purpose), outcome, who),
  tool_used: ({ tool, phase }, who) => `${who} ${phase === 'began' ? 'is using' : 'used'} ${oneLine(tool)}`,
  input_requested: ({ question }, who) => `${who} asked for input${quoted(question)}`,
  turn_ended: ({ backgroundTasks }, who) =>
    Number(backgroundTasks) > 0
      ? `${who} finished its turn; ${count(backgroundTasks, 'background task is', 'background tasks are')} still running`
      : `${who} finished its turn`,
  usage_limit_hit: ({ words: said, until, retriesAt, continuesItself }, who) =>
    `${who} is under a usage limit${isText(until) ? ` until ${time(until)}` : ''}${because(said)}${isText(retriesAt) ? `; its client tries again on ${time(retriesAt)}` : continuesItself === true ? '; its client continues by itself then' : ''}`,
  usage_limit_over: ({ by }, who) =>
    by === 'client' ? `${who} continues by itself after its usage limit` : `The usage limit of ${who} is over`,
  limit_wait_chosen: ({ wait }, who) =>
    wait === true
      ? `Baton will ask ${who} to continue when its usage limit is over`
      : `Baton will not ask ${who} to continue when its usage limit is over`,
  turn_failed: ({ error }, who) => `A turn of ${who} failed${because(error)}`,
  compaction_started: ({ trigger }, who) => `${who} is compacting its context${inBrackets(trigger)}`,
  compaction_ended: (_, who) => `${who} compacted its context`,
  context_measured: ({ usedPercent }, who) => `${who} uses ${Math.round(Number(usedPercent))} % of its context`,
  usage_reported: ({ tokens, costMicros }, who) => `${who} has used ${usedIn(tokens, costMicros)} so far`,
  permission_mode_seen: ({ mode }, who) => `${who} is in the permission mode ${oneLine(mode)}`,
  terminal_taken: (_, who) => `Another program is using the terminal of ${who}`,
  terminal_returned: (_, who) => `${who} has its terminal back`,
  agent_adopted: ({ pane }, who) => `${who} was adopted from a session that you started${inPane(pane)}`,
  agent_adoption_failed: ({ detail }, who) => `${who} could not be adopted${because(detail)}`,
  agent_released: (_, who) => `${who} was released and continues without Baton`,
  persona_changed: ({ slug, from }, who) => `The persona of ${who} changed from ${oneLine(from)} to ${oneLine(slug)}`,
  persona_given: ({ slug }, who) => `${who} was assigned the persona ${oneLine(slug)}`,
  agent_muted: ({ muted, until }, who) =>
    muted === true ? `${who} was muted${isText(until) ? ` until ${time(until)}` : ''}` : `${who} was unmuted`,
  handoff_policy_set: ({ policy }, who) =>
    policy === null
      ? `${who} has no handoff policy of its own any more`
      : `The handoff policy of ${who} is now ${words(field(policy, 'mode'))}`,
  handoff_requested: ({ reason }, who) => `${who} asked for a handoff${quoted(reason)}`,
  handoff_request_declined: (_, who) => `The request of ${who} for a handoff was declined`,
  handoff_request_restored: (_, who) => `The request of ${who} for a handoff waits for a decision again`,
  countdown_began: ({ trigger, dueAt }, who) =>
    `Baton will hand off ${who} by itself on ${time(dueAt)}: ${trigger === 'request' ? 'the agent asked for it' : 'its context use reached the threshold'}`,
  countdown_restarted: ({ dueAt }, who) =>
    `The countdown of ${who} began again, because Baton did not observe the agent for a while; it ends on ${time(dueAt)}`,
  countdown_stopped: ({ why }, who) => `The countdown of ${who} was stopped${because(why)}`,
  countdown_cancelled: (_, who) => `The automatic handoff of ${who} was canceled`,
  countdown_snoozed: ({ until }, who) => `The automatic handoff of ${who} was postponed until ${time(until)}`,
  auto_handoff_held: ({ why }, who) =>
    `Baton does not hand off ${who} by itself${because(HOLD_WORDS[String(why) as Hold] ?? words(why))}`,
  auto_handoff_released: (_, who) => `Baton no longer holds back the automatic handoff of ${who}`,
  auto_handoff_begun: ({ because: cause }, who) => `Baton began the handoff of ${who} by itself${because(cause)}`,
  work_seen: ({ what }, who) =>
    `Baton saw that ${who} has worked since taking over from its predecessor: ${what === 'commit' ? 'a commit' : what === 'edit' ? 'a changed file' : 'a completed package'}`,
  skill_absent: ({ detail }, who) => `${who} started without a skill${because(detail)}`,
  agent_resumed: ({ resumedAgentId }, who) =>
    `Agent ${oneLine(resumedAgentId)} was started to continue the conversation of ${who}`,
  restore_wanted: (_, who) => `${who} will be restored`,
  restore_closed: ({ detail }, who) => `Baton no longer offers to restore ${who}${because(detail)}`,
  restore_failed: ({ detail }, who) => `${who} could not be restored${because(detail)}`,
  priming_failed: ({ detail }, who) => `${who} did not receive its skill${because(detail)}`,
};

const HANDOFF: Readonly<Record<string, Teller>> = {
  handoff_progress: ({ from, to, detail }) =>
    `${from === null ? 'Handoff started' : 'Handoff step'}: ${stepNow(String(to))}${inBrackets(detail)}`,
  handoff_warning: ({ sentence }) => `Handoff warning: ${oneLine(sentence)}`,
  handoff_error: ({ at, sentence }) =>
    `Handoff failed${isText(at) ? ` at “${stepNow(at)}”` : ''}: ${oneLine(sentence)}`,
  handoff_complete: ({ acknowledged, successorAgentId }) =>
    `Handoff completed ${acknowledged === true ? 'and acknowledged' : 'without acknowledgment'}: agent ${oneLine(successorAgentId)} continues`,
  handoff_undone: ({ broughtBackAgentId }) =>
    `Handoff undone: agent ${oneLine(broughtBackAgentId)} was started to continue the predecessor's conversation`,
  handoff_acknowledged: ({ task }) => `The successor acknowledged the handoff${quoted(task)}`,
  acknowledgement_denied: ({ tool }) =>
    `The successor cannot acknowledge: a permission rule denies the tool ${oneLine(tool)}`,
  operator_chose: ({ action }) => `The operator chose “${actionName(String(action))}”`,
  document_place_prepared: ({ path }) => `The document path is ready: ${oneLine(path)}`,
  document_evidence_seen: () => 'The document appears to be written',
  document_checked: ({ result }) => checked(result),
  document_compared: ({ findings }) =>
    Array.isArray(findings) && findings.length > 0
      ? 'The document differs from the project'
      : 'The document was compared with the project',
  document_found_otherwise: ({ found }) => `The document was ${words(found)} after its verification`,
  late_document_seen: () => 'A document arrived after the handoff had ended',
  successor_can_start: ({ runsOn }) =>
    isText(field(runsOn, 'runtime'))
      ? `The successor can start on ${oneLine(field(runsOn, 'runtime'))}${inBrackets(field(runsOn, 'model'))}`
      : 'The successor can start',
  successor_cannot_start: ({ detail }) => `The successor cannot start${because(detail)}`,
  effect_failed: ({ doing, detail }) => `Baton could not ${words(doing)}${because(detail)}`,
  clock_ticked: () => 'Baton checked the deadline of the handoff',
};

const INBOX: Readonly<Record<string, Teller>> = {
  inbox_opened: ({ sentence }) => `New inbox item: ${oneLine(sentence)}`,
  inbox_resolved: ({ itemId, resolution }) => `Inbox item ${oneLine(itemId)} closed${because(words(resolution))}`,
  inbox_restored: ({ itemId }) => `Inbox item ${oneLine(itemId)} was restored`,
  inbox_held: ({ itemId, why }) => `Inbox item ${oneLine(itemId)}: notification held back${inBrackets(why)}`,
  operator_notified: ({ itemId, itemIds, outcome }) =>
    notified(
      Array.isArray(itemIds) && itemIds.length > 1 ? `${itemIds.length} inbox items` : `inbox item ${oneLine(itemId)}`,
      outcome,
    ),
};

const MESSAGES: Readonly<Record<string, Teller>> = {
  message_begun: ({ excerpt }, who) => `The operator sends a message to ${who}${quoted(excerpt)}`,
  first_prompt_refused: ({ detail }, who) => `The first prompt was not sent to ${who}${because(detail)}`,
  message_overdue: ({ detail }, who) => `A message to ${who} is not confirmed yet${because(detail)}`,
  message_verdict: ({ sentence }) => withoutPeriod(oneLine(sentence)),
  answer_begun: ({ said }, who) =>
    typeof said === 'number'
      ? `The operator answers ${who} with option ${said}`
      : `The operator answers ${who}${quoted(said)}`,
  answer_given: ({ outcome }, who) => typing('answer', outcome, who),
  answer_overdue: ({ detail }, who) => `Baton cannot tell whether ${who} received the answer${because(detail)}`,
  answer_verdict: ({ sentence }) => withoutPeriod(oneLine(sentence)),
};

const SERVER: Readonly<Record<string, Teller>> = {
  server_started: ({ version, runsInFlight }) =>
    `Baton ${oneLine(version)} started${Number(runsInFlight) > 0 ? ` with ${count(runsInFlight, 'handoff', 'handoffs')} in progress` : ''}`,
  baton_trouble: ({ sentence }) => `Baton has a problem: ${oneLine(sentence)}`,
  spool_overflowed: ({ count: lost, couldNotBeWritten }) =>
    `${couldNotBeWritten ? 'The disk was full' : 'The hook queue was full'}: ${count(lost, 'hook event was', 'hook events were')} lost`,
  token_budget_passed: ({ day, used, budget }) =>
    `The agents have used ${Number(used).toLocaleString('en-US')} tokens on ${oneLine(day)}; the budget for a day was ${Number(budget).toLocaleString('en-US')}`,
  settings_changed: ({ keys }) => `Settings changed: ${Array.isArray(keys) ? keys.map(words).join(', ') : words(keys)}`,
  fleet_joined: ({ machine, founder }) =>
    machine === founder
      ? `This machine founded a fleet as ${oneLine(machine)}`
      : `This machine joined the fleet of ${oneLine(founder)} as ${oneLine(machine)}`,
  fleet_left: ({ machine }) => `This machine, ${oneLine(machine)}, left its fleet`,
  fleet_member_added: ({ machine, role }) => `The machine ${oneLine(machine)} joined the fleet as ${oneLine(role)}`,
  fleet_member_revoked: ({ machine }) => `The machine ${oneLine(machine)} was removed from the fleet`,
  command_answered: ({ from, route, code }) =>
    code === null
      ? `A command of the operator on ${oneLine(from)} was performed: ${oneLine(route)}`
      : `A command of the operator on ${oneLine(from)} was refused: ${oneLine(route)} (${words(code)})`,
  persona_registered: ({ slug }) => `The persona ${oneLine(slug)} was created`,
  persona_edited: ({ slug, name, role }) =>
    `The persona ${oneLine(slug)} now has the name ${oneLine(name)} and the role ${oneLine(role)}`,
  persona_archived: ({ slug }) => `The persona ${oneLine(slug)} was archived`,
  persona_restored: ({ slug }) => `The persona ${oneLine(slug)} was restored`,
  point_closed: ({ point, slug }) => `The open point OP-${oneLine(point)} of ${oneLine(slug)} was closed`,
  point_reopened: ({ point, slug }) => `The point OP-${oneLine(point)} of ${oneLine(slug)} was opened again`,
  lesson_accepted: ({ lesson, slug }) => `Lesson ${oneLine(lesson)} of ${oneLine(slug)} was accepted`,
  lesson_discarded: ({ lesson, slug }) => `Lesson ${oneLine(lesson)} of ${oneLine(slug)} was discarded`,
  lesson_accepted_by_setting: ({ lesson, slug }) =>
    `Baton added lesson ${oneLine(lesson)} to experience.md of ${oneLine(slug)}, as the setting accept_lessons says`,
  lesson_not_written: ({ lesson, slug, why }) =>
    `Lesson ${oneLine(lesson)} of ${oneLine(slug)} was not written: ${oneLine(why)}`,
  persona_text_saved: ({ slug, text }) => `The ${oneLine(text)} of the persona ${oneLine(slug)} was saved`,
  own_session_seen: ({ moment, runtime }) =>
    `An external session ${moment === 'ended' ? 'ended' : 'started'}${inBrackets(runtime)}`,
  project_default_persona_changed: ({ projectId, slug }) =>
    slug === null
      ? `New agents in project ${oneLine(projectId)} start without a persona`
      : `New agents in project ${oneLine(projectId)} start with the persona ${oneLine(slug)}`,
  runs_on_changed: ({ of, list }) =>
    Array.isArray(list) && list.length > 0
      ? `Agents of ${oneLine(of)} run on the first of these agent types that can start: ${list.map(oneLine).join(', ')}`
      : `Agents of ${oneLine(of)} have no list of agent types any more`,
  handoff_policy_changed: ({ of, policy }) =>
    isText(policy)
      ? `The handoff policy of ${oneLine(of)} is now ${oneLine(policy)}`
      : `${oneLine(of)} has no handoff policy any more`,
  project_added: ({ path }) => `The project ${oneLine(path)} was added`,
  history_purged: ({ agents }) =>
    `History purged: ${count(Array.isArray(agents) ? agents.length : 0, 'agent', 'agents')} and the content of their events`,
  worktree_planned: ({ name, branch }) =>
    `The worktree ${oneLine(name)} is being created on the branch ${oneLine(branch)}`,
  worktree_created: ({ name, path }) => `The worktree ${oneLine(name)} was created in ${oneLine(path)}`,
  worktree_dropped: ({ name }) => `The worktree ${oneLine(name)} could not be created and was cleaned up`,
  worktree_removed: ({ name, branch }) => `The worktree ${oneLine(name)} (branch ${oneLine(branch)}) was removed`,
};

const TELLERS: Readonly<Record<EventKind, Readonly<Record<string, Teller>>>> = {
  agent: AGENT,
  handoff: HANDOFF,
  package: PACKAGE,
  inbox: INBOX,
  messages: MESSAGES,
  server: SERVER,
};

const ROWS: ReadonlyMap<string, { readonly kind: EventKind; readonly tell: Teller }> = new Map(
  EVENT_KINDS.flatMap((kind) => Object.entries(TELLERS[kind]).map(([type, tell]) => [type, { kind, tell }])),
);

export const EVENT_TYPES: readonly string[] = [...ROWS.keys()];

const BAD_NEWS: ReadonlySet<string> = new Set([
  'agent_launch_failed',
  'agent_adoption_failed',
  'agent_pane_lost',
  'agent_start_overdue',
  'turn_failed',
  'priming_failed',
  'restore_failed',
  'worktree_dropped',
  'handoff_error',
  'successor_cannot_start',
  'effect_failed',
  'package_failed',
  'baton_trouble',
  'spool_overflowed',
]);

/**
 * True if an event is bad news. The end of an agent's process is bad news only if the agent failed to start. For every
 * other unexpected end of a process, Baton also opens an inbox item, and the event about that item is the bad news.
 */
function isBadNews({ type, data }: Pick<Event, 'type' | 'data'>): boolean {
  if (type === 'agent_process_gone') return data.failedToStart === true;
  return BAD_NEWS.has(type) || (type === 'inbox_opened' && data.kind === 'failure');
}

/** Returns the event types of a kind, for filtering the log. */
export const typesOfKind = (kind: string): readonly string[] =>
  EVENT_KINDS.filter((each) => each === kind).flatMap((each) => Object.keys(TELLERS[each]));

/**
 * Returns how the page shows an event: its sentence, its kind, and whether it is bad news. No other code describes
 * events in words.
 */
export const describeEvent = (event: Pick<Event, 'type' | 'agent_id' | 'data'>) => ({
  sentence: eventSentence(event),
  kind: ROWS.get(event.type)?.kind ?? null,
  bad_news: isBadNews(event),
});

/** Describes an event in one plain sentence. Shows an unknown type as it is, so that no event is hidden. */
export function eventSentence({ type, agent_id, data }: Pick<Event, 'type' | 'agent_id' | 'data'>): string {
  const agent = agent_id === null ? 'An agent' : `Agent ${agent_id}`;
  if (data.purged === true) return `${words(type)} (content purged)`;
  const row = ROWS.get(type);
  if (row !== undefined) return row.tell(data, agent);
  const rest = JSON.stringify(data);
  return [words(type), rest === '{}' ? '' : oneLine(rest)].filter(Boolean).join(' ');
}

/** Describes the tokens and the cost in a usage report. The cost is known only if the agent's client counts it. */
function usedIn(tokens: unknown, costMicros: unknown): string {
  const counts = Object.values((tokens ?? {}) as Record<string, unknown>).map(Number);
  const total = counts.reduce((sum, each) => sum + each, 0).toLocaleString('en-US');
  const money = typeof costMicros === 'number' ? `$${(costMicros / 1_000_000).toFixed(2)} by its client's count` : '';
  return [counts.length === 0 ? '' : `${total} tokens`, money].filter(Boolean).join(', ');
}

function inPane(pane: unknown): string {
  const id = field(pane, 'paneId');
  return isText(id) ? ` in tmux pane ${id}` : '';
}

function typing(purpose: string, outcome: unknown, who: string): string {
  const verdict = field(outcome, 'verdict');
  if (field(outcome, 'by') === 'api')
    return `Baton ${verdict === 'typed' ? 'gave' : 'may have given'} the ${purpose} to ${who} through the API of its client${because(field(outcome, 'detail'))}`;
  if (verdict === 'typed') return `Baton typed the ${purpose} to ${who}`;
  const how = verdict === 'unconfirmed' ? 'may have typed' : 'did not type';
  return `Baton ${how} the ${purpose} to ${who}${because(field(outcome, 'detail'))}`;
}

function checked(result: unknown): string {
  const verdict = field(result, 'verdict');
  if (verdict !== 'good')
    return `The document failed its verification: ${words(verdict)}${because(field(result, 'detail'))}`;
  const bytes = Number(field(result, 'bytes'));
  const end = field(result, 'markerFound') === false ? ', but its end marker is missing' : '';
  return `The document was verified and saved (${count(bytes, 'byte', 'bytes')})${end}`;
}

/**
 * Says for each channel whether the operator was notified through it. An outcome is `sent`, or `unavailable` or
 * `failed` with a sentence that says why.
 */
function notified(about: string, outcome: unknown): string {
  const told = Object.entries(typeof outcome === 'object' ? (outcome ?? {}) : {}).map(([channel, what], index) => {
    const name = `${channel === 'os' ? 'desktop' : channel} notification${index === 0 ? ` for ${about}` : ''}`;
    const [, verdict = oneLine(what), why] = /^(\w+): (.*)$/.exec(oneLine(what)) ?? [];
    const reason = because(why?.replace(/\.$/, ''));
    if (verdict === 'unavailable') return `no ${name}${reason}`;
    return `the ${name} ${verdict === 'sent' ? 'was sent' : verdict}${reason}`;
  });
  const said = told.join('; ') || `notification for ${about}`;
  return said.charAt(0).toUpperCase() + said.slice(1);
}
