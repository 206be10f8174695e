import { EVENT_KINDS, type Event, type EventKind } from '../../../contract/resources.ts';
import { stepNow } from '../../../contract/words/step-words.ts';
import { because, count, field, inBrackets, isText, oneLine, quoted, type Teller, words } from './event-words.ts';
import { PACKAGE } from './package-sentences.ts';

const AT_REST: Readonly<Record<string, string>> = {
  interrupted: 'with an interrupted turn',
  prompt_returned: "with Baton's prompt back in its composer",
  draft: 'with unsent text in its composer',
};

const AGENT: Readonly<Record<string, Teller>> = {
  agent_created: (_, who) => `${who} was created`,
  agent_launched: ({ pane }, who) => `${who} was started${inPane(pane)}`,
  agent_launch_failed: ({ detail }, who) => `${who} could not be started${because(detail)}`,
  agent_state_changed: ({ to, reason }, who) => `${who} is ${words(to)}${because(reason)}`,
  agent_warning: ({ sentence }) => oneLine(sentence),
  agent_stop_asked: ({ force }, who) => (force === true ? `${who} is ended by force` : `${who} was asked to leave`),
  agent_said_idle: (_, who) => `${who} said that it waits for a prompt`,
  agent_seen_idle: ({ shows }, who) => [`${who} was seen at rest`, AT_REST[String(shows)]].filter(Boolean).join(' '),
  agent_seen_working: (_, who) => `${who} was seen working`,
  agent_seen_asking: ({ question }, who) => `${who} was seen asking${quoted(question)}`,
  agent_process_gone: ({ detail }, who) => `The process of ${who} is gone${because(detail)}`,
  agent_pane_lost: ({ detail }, who) => `The pane of ${who} was lost${because(detail)}`,
  agent_interrupted: ({ refusal }, who) =>
    isText(refusal) ? `${who} could not be interrupted${because(refusal)}` : `${who} was interrupted`,
  agent_start_overdue: ({ detail }, who) => `${who} takes too long to start${because(detail)}`,
  session_started: ({ source, skillGiven }, who) =>
    `${who} began a session${inBrackets(source)}${isText(skillGiven) ? ' with its skill' : ''}`,
  session_ended: ({ reason }, who) => `The session of ${who} ended${inBrackets(reason)}`,
  prompt_submitted: ({ ref, excerpt }, who) =>
    isText(ref) ? `${who} took Baton's prompt ${ref}` : `${who} took a prompt${quoted(excerpt)}`,
  prompt_found_in_transcript: ({ ref }, who) => `The transcript of ${who} holds Baton's prompt ${oneLine(ref)}`,
  prompt_typed: ({ purpose, outcome }, who) => typing(words(purpose), outcome, who),
  tool_used: ({ tool, phase }, who) => `${who} ${phase === 'began' ? 'uses' : 'has used'} ${oneLine(tool)}`,
  input_requested: ({ question }, who) => `${who} asks for input${quoted(question)}`,
  turn_ended: ({ backgroundTasks }, who) =>
    Number(backgroundTasks) > 0
      ? `${who} ended its turn; ${count(backgroundTasks, 'background task runs', 'background tasks run')} on`
      : `${who} ended its turn`,
  turn_failed: ({ error }, who) => `A turn of ${who} failed${because(error)}`,
  compaction_started: ({ trigger }, who) => `${who} compacts its context${inBrackets(trigger)}`,
  compaction_ended: (_, who) => `${who} has compacted its context`,
  context_measured: ({ usedPercent }, who) => `${who} uses ${Math.round(Number(usedPercent))} % of its context`,
  terminal_taken: (_, who) => `Another program has the terminal of ${who}`,
  terminal_returned: (_, who) => `${who} has its terminal again`,
  agent_adopted: (_, who) => `${who} was adopted: it is a session that you started yourself`,
  agent_adoption_failed: ({ detail }, who) => `${who} could not be adopted${because(detail)}`,
  agent_released: (_, who) => `${who} was given back to you and goes on without Baton`,
  persona_changed: ({ slug, from }, who) =>
    `${who} was given the persona ${oneLine(slug)} in place of ${oneLine(from)}`,
  persona_given: ({ slug }, who) => `${who} was given the persona ${oneLine(slug)}`,
  agent_muted: ({ muted, until }, who) =>
    muted === true ? `${who} was muted${isText(until) ? ` until ${until}` : ''}` : `${who} is not muted any more`,
  skill_absent: ({ detail }, who) => `${who} has no skill to begin with${because(detail)}`,
  agent_resumed: ({ resumedAgentId }, who) => `The conversation of ${who} goes on as agent ${oneLine(resumedAgentId)}`,
  restore_wanted: (_, who) => `${who} is to come back`,
  restore_failed: ({ detail }, who) => `${who} could not be brought back${because(detail)}`,
  priming_failed: ({ detail }, who) => `${who} did not get its skill${because(detail)}`,
};

const HANDOFF: Readonly<Record<string, Teller>> = {
  handoff_progress: ({ from, to, detail }) =>
    `${from === null ? 'The handoff began' : 'The handoff went on'}: ${stepNow(String(to))}${inBrackets(detail)}`,
  handoff_warning: ({ sentence }) => `The handoff warns: ${oneLine(sentence)}`,
  handoff_error: ({ at, sentence }) => `The handoff failed at ${words(at)}: ${oneLine(sentence)}`,
  handoff_complete: ({ acknowledged, successorAgentId }) =>
    `The handoff is complete: agent ${oneLine(successorAgentId)} goes on${acknowledged === true ? ' and has acknowledged' : ', without an acknowledgement'}`,
  handoff_undone: ({ broughtBackAgentId }) =>
    `The handoff was undone: the predecessor goes on as agent ${oneLine(broughtBackAgentId)}`,
  handoff_acknowledged: ({ task }) => `The successor acknowledged the document${quoted(task)}`,
  acknowledgement_denied: ({ tool }) =>
    `The successor cannot acknowledge: a permission rule denies it the tool ${oneLine(tool)}`,
  operator_chose: ({ action }) => `The operator chose: ${words(action)}`,
  document_place_prepared: ({ path }) => `The place for the document is ready: ${oneLine(path)}`,
  document_evidence_seen: () => 'The document seems to be written',
  document_checked: ({ result }) => checked(result),
  document_found_otherwise: ({ found }) => `The document was ${words(found)} after it was checked`,
  late_document_seen: () => 'A document came after the handoff was over',
  successor_can_start: () => 'The successor can start',
  successor_cannot_start: ({ detail }) => `The successor cannot start${because(detail)}`,
  effect_failed: ({ doing, detail }) => `Baton could not do this: ${words(doing)}${because(detail)}`,
  clock_ticked: () => 'A deadline of the handoff was looked at',
};

const INBOX: Readonly<Record<string, Teller>> = {
  inbox_opened: ({ sentence }) => `New in the inbox: ${oneLine(sentence)}`,
  inbox_resolved: ({ itemId, resolution }) => `Inbox item ${oneLine(itemId)} is over${because(words(resolution))}`,
  inbox_held: ({ itemId, why }) => `Inbox item ${oneLine(itemId)} is not told for now${because(why)}`,
  operator_notified: ({ itemId, itemIds, outcome }) =>
    Array.isArray(itemIds) && itemIds.length > 1
      ? `The operator was told of ${itemIds.length} inbox items in one${channels(outcome)}`
      : `The operator was told of inbox item ${oneLine(itemId)}${channels(outcome)}`,
};

const MESSAGES: Readonly<Record<string, Teller>> = {
  message_begun: ({ excerpt }, who) => `The operator sends to ${who}${quoted(excerpt)}`,
  message_overdue: ({ detail }, who) => `A message to ${who} has no receipt yet${because(detail)}`,
  message_verdict: ({ sentence }) => oneLine(sentence),
  answer_begun: ({ said }, who) =>
    typeof said === 'number'
      ? `The operator answers ${who} with option ${said}`
      : `The operator answers ${who}${quoted(said)}`,
  answer_given: ({ outcome }, who) => typing('answer', outcome, who),
  answer_overdue: ({ detail }, who) => `Nobody knows whether ${who} got the answer${because(detail)}`,
  answer_verdict: ({ sentence }) => oneLine(sentence),
};

const SERVER: Readonly<Record<string, Teller>> = {
  server_started: ({ version, runsInFlight }) =>
    `Baton ${oneLine(version)} started${Number(runsInFlight) > 0 ? ` with ${count(runsInFlight, 'handoff', 'handoffs')} under way` : ''}`,
  baton_trouble: ({ sentence }) => `Baton has trouble: ${oneLine(sentence)}`,
  spool_overflowed: ({ count: lost, couldNotBeWritten }) =>
    `${couldNotBeWritten ? 'The disk was full' : 'The spool was full'}: ${count(lost, 'event', 'events')} of hooks were lost`,
  settings_changed: ({ keys }) =>
    `Settings were changed: ${Array.isArray(keys) ? keys.map(words).join(', ') : words(keys)}`,
  persona_registered: ({ slug }) => `The persona ${oneLine(slug)} was registered`,
  persona_edited: ({ slug, name, role }) =>
    `The persona ${oneLine(slug)} is now called ${oneLine(name)}, ${oneLine(role)}`,
  persona_archived: ({ slug }) => `The persona ${oneLine(slug)} was archived`,
  persona_restored: ({ slug }) => `The persona ${oneLine(slug)} is active again`,
  persona_text_saved: ({ slug, text }) => `The ${oneLine(text)} of the persona ${oneLine(slug)} was saved`,
  own_session_seen: ({ moment, runtime }) =>
    `A session that you started yourself ${moment === 'ended' ? 'ended' : 'began'}${inBrackets(runtime)}`,
  project_default_persona_changed: ({ projectId, slug }) =>
    slug === null
      ? `Agents of project ${oneLine(projectId)} begin without a persona from now on`
      : `Agents of project ${oneLine(projectId)} begin as ${oneLine(slug)} from now on`,
  project_added: ({ path }) => `The project ${oneLine(path)} was added`,
  history_purged: ({ agents }) =>
    `Old history was purged: ${count(Array.isArray(agents) ? agents.length : 0, 'agent', 'agents')}, and what their events said`,
  worktree_planned: ({ name, branch }) =>
    `The worktree ${oneLine(name)} is being made on the branch ${oneLine(branch)}`,
  worktree_created: ({ name, path }) => `The worktree ${oneLine(name)} was made in ${oneLine(path)}`,
  worktree_dropped: ({ name }) => `The worktree ${oneLine(name)} could not be made; nothing of it is left`,
  worktree_removed: ({ name, branch }) => `The worktree ${oneLine(name)} of the branch ${oneLine(branch)} was removed`,
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

const BAD_NEWS: ReadonlySet<string> = new Set([
  'agent_launch_failed',
  'agent_adoption_failed',
  'agent_process_gone',
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

/** The event types of a kind, by which the log is filtered. */
export const typesOfKind = (kind: string): readonly string[] =>
  EVENT_KINDS.filter((each) => each === kind).flatMap((each) => Object.keys(TELLERS[each]));

/** Everything that a person reads of an event; a fact of the domain gets its words here and nowhere else. */
export const describeEvent = (event: Pick<Event, 'type' | 'agent_id' | 'data'>) => ({
  sentence: eventSentence(event),
  kind: ROWS.get(event.type)?.kind ?? null,
  bad_news: BAD_NEWS.has(event.type),
});

/** Describes an event in one plain sentence. Shows an unknown type as it is, so that nothing of the log is hidden. */
export function eventSentence({ type, agent_id, data }: Pick<Event, 'type' | 'agent_id' | 'data'>): string {
  const agent = agent_id === null ? 'An agent' : `Agent ${agent_id}`;
  if (data.purged === true) return `${words(type)}: what it said was purged`;
  const row = ROWS.get(type);
  if (row !== undefined) return row.tell(data, agent);
  const rest = JSON.stringify(data);
  return [words(type), rest === '{}' ? '' : oneLine(rest)].filter(Boolean).join(' ');
}

function inPane(pane: unknown): string {
  const id = field(pane, 'paneId');
  return isText(id) ? ` in tmux pane ${id}` : '';
}

function typing(purpose: string, outcome: unknown, who: string): string {
  const verdict = field(outcome, 'verdict');
  if (verdict === 'typed') return `Baton typed the ${purpose} to ${who}`;
  const how = verdict === 'unconfirmed' ? 'may have typed' : 'did not type';
  return `Baton ${how} the ${purpose} to ${who}${because(field(outcome, 'detail'))}`;
}

function checked(result: unknown): string {
  const verdict = field(result, 'verdict');
  if (verdict !== 'good') return `The document is not good: ${words(verdict)}${because(field(result, 'detail'))}`;
  const bytes = Number(field(result, 'bytes'));
  const end = field(result, 'markerFound') === false ? ', but its end marker is missing' : '';
  return `The document is there and kept (${count(bytes, 'byte', 'bytes')})${end}`;
}

function channels(outcome: unknown): string {
  if (typeof outcome !== 'object' || outcome === null) return '';
  const told = Object.entries(outcome).map(([channel, what]) => `${channel} ${oneLine(what)}`);
  return told.length === 0 ? '' : `: ${told.join(', ')}`;
}
