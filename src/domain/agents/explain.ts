import type { AgentFact, LoggedEvent } from '../facts.ts';

type Describer<T extends AgentFact['type']> = (fact: Extract<AgentFact, { type: T }>) => string;

const SEEN_AT_REST = {
  nothing: 'an empty composer and no work',
  interrupted: 'an empty composer and an interrupted turn',
  prompt_returned: "Baton's prompt back in its composer and no work",
  draft: 'unsent text in its composer and no work',
};

const REST_SAID = {
  status: "its client's status file says that it is idle",
  transcript: 'its transcript ends with an interruption',
  hooks: 'its hooks have reported no turn since the last one ended',
};

/** One line for people per fact that affects an agent's state. Facts that are not listed do not affect the state. */
const DESCRIBERS: { readonly [T in AgentFact['type']]?: Describer<T> } = {
  agent_created: () => 'Baton created the agent',
  agent_launched: ({ pane }) => `Baton started the agent in tmux pane ${pane.paneId}`,
  agent_launch_failed: ({ detail }) => `The agent could not be started: ${detail}`,
  agent_adopted: ({ pane }) => `The operator adopted the session in tmux pane ${pane.paneId}`,
  agent_adoption_failed: ({ detail }) => `The session could not be adopted: ${detail}`,
  agent_released: () => 'The operator released the session',
  session_started: ({ source, skillGiven }) =>
    `Hook: session started (${source})${skillGiven === undefined ? '' : ` with the skill ${skillGiven}`}`,
  prompt_submitted: ({ ref, excerpt }) =>
    ref === null ? `Hook: prompt submitted: "${oneLine(excerpt)}"` : `Hook: Baton's prompt ${ref} submitted`,
  prompt_found_in_transcript: ({ ref }) => `The transcript contains Baton's prompt ${ref}`,
  tool_used: ({ tool, phase }) => `Hook: ${phase === 'began' ? 'using' : 'finished using'} ${oneLine(tool)}`,
  input_requested: ({ question }) => `Hook: the agent ${oneLine(question)}`,
  turn_ended: ({ backgroundTasks }) =>
    `Hook: turn ended${backgroundTasks > 0 ? `, ${backgroundTasks} background task(s) still running` : ''}`,
  turn_failed: ({ error }) => `Hook: turn failed: ${oneLine(error)}`,
  compaction_started: ({ trigger }) => `Hook: context compaction started (${trigger})`,
  compaction_ended: () => 'Hook: context compaction finished',
  session_ended: ({ reason }) => `Hook: session ended (${reason})`,
  agent_said_idle: () => 'Hook: waiting for a prompt',
  agent_seen_idle: ({ shows, by }) =>
    `Baton saw on the screen, twice: ${SEEN_AT_REST[shows ?? 'nothing']}${by === undefined ? '' : `; ${REST_SAID[by]}`}`,
  agent_seen_working: ({ by, doing }) =>
    by === 'status'
      ? "The client's status file says that the agent is working"
      : `Baton saw on the screen that the agent is working${doing === undefined ? '' : `: ${oneLine(doing)}`}`,
  agent_seen_unknown: ({ line }) =>
    line === null
      ? 'Baton saw an empty composer on the screen, but no hook has reported the end of the turn'
      : `Baton does not recognize this line on the screen: ${oneLine(line)}`,
  terminal_taken: () => 'Baton saw, twice, that another process has the foreground of the terminal',
  terminal_returned: () => 'Baton saw that the agent has the foreground of its terminal again',
  agent_process_gone: ({ detail }) => `Baton checked the process: ${detail}`,
  agent_pane_lost: ({ detail }) => `Baton checked the process: ${detail}`,
  message_begun: ({ excerpt }) => `The operator sent a message: "${oneLine(excerpt)}"`,
  restore_wanted: () => 'The operator asked to resume the conversation',
  restore_failed: ({ detail }) => `The conversation could not be resumed: ${oneLine(detail)}`,
  restore_closed: ({ detail }) => `Baton no longer offers to restore the agent: ${oneLine(detail)}`,
  persona_given: ({ slug }) => `The operator gave the agent the persona ${slug}`,
  persona_changed: ({ slug, from }) => `The operator changed the persona from ${from} to ${slug}`,
  answer_begun: ({ said }) => `The operator answered the question: ${oneLine(String(said))}`,
  answer_given: ({ outcome }) =>
    outcome.verdict === 'typed'
      ? 'Baton entered the answer'
      : `Baton could not enter the answer (${outcome.verdict}): ${oneLine(outcome.detail)}`,
  prompt_typed: ({ purpose, outcome }) =>
    outcome.verdict === 'typed'
      ? `Baton typed the ${purpose}`
      : `Baton could not type the ${purpose} (${outcome.verdict}): ${oneLine(outcome.detail)}`,
};

export const EXPLAINED_FACTS: readonly string[] = Object.keys(DESCRIBERS);

/** Explains an event in one line for people; undefined if the event does not affect the agent's state. */
export function explainEvent({ type, data }: Pick<LoggedEvent, 'type' | 'data'>): string | undefined {
  // The log stores facts as recordFact received them, so `data` has the fields of a fact of this type.
  const describe = EXPLAINED_FACTS.includes(type)
    ? (DESCRIBERS[type as AgentFact['type']] as (fact: unknown) => string)
    : undefined;
  return describe?.({ type, ...data });
}

const LONGEST = 120;

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
}
