import type { AgentFact, LoggedEvent } from '../facts.ts';

type Teller<T extends AgentFact['type']> = (fact: Extract<AgentFact, { type: T }>) => string;

const SEEN_AT_REST = {
  nothing: 'an empty composer and no work',
  interrupted: 'an empty composer and an interrupted turn',
  prompt_returned: "Baton's prompt back in its composer and no work",
  draft: 'unsent text in its composer and no work',
};

const REST_SAID = {
  status: "its client's status file says that it is idle",
  transcript: 'its transcript ends with an interruption',
  hooks: 'its hooks have told of no turn since the last one ended',
};

/** One line for people per fact that affects an agent's state. Facts not listed here do not affect it. */
const TELLERS: { readonly [T in AgentFact['type']]?: Teller<T> } = {
  agent_created: () => 'Baton created it',
  agent_launched: ({ pane }) => `Baton started it in tmux pane ${pane.paneId}`,
  agent_launch_failed: ({ detail }) => `It could not be started: ${detail}`,
  agent_adopted: ({ pane }) => `The operator had Baton adopt it in tmux pane ${pane.paneId}`,
  agent_adoption_failed: ({ detail }) => `It could not be adopted: ${detail}`,
  agent_released: () => 'The operator took it back from Baton',
  session_started: ({ source, skillGiven }) =>
    `Its hook said: a session started (${source})${skillGiven === undefined ? '' : ` and was given the skill ${skillGiven}`}`,
  prompt_submitted: ({ ref, excerpt }) =>
    ref === null
      ? `Its hook said: it took a prompt: "${oneLine(excerpt)}"`
      : `Its hook said: it took Baton's prompt ${ref}`,
  prompt_found_in_transcript: ({ ref }) => `Its transcript holds Baton's prompt ${ref}`,
  tool_used: ({ tool, phase }) => `Its hook said: it ${phase === 'began' ? 'uses' : 'has used'} ${oneLine(tool)}`,
  input_requested: ({ question }) => `Its hook said: it ${oneLine(question)}`,
  turn_ended: ({ backgroundTasks }) =>
    `Its hook said: its turn ended${backgroundTasks > 0 ? `, ${backgroundTasks} background task(s) still run` : ''}`,
  turn_failed: ({ error }) => `Its hook said: its turn failed: ${oneLine(error)}`,
  compaction_started: ({ trigger }) => `Its hook said: it compacts its context (${trigger})`,
  compaction_ended: () => 'Its hook said: its context is compacted',
  session_ended: ({ reason }) => `Its hook said: its session ended (${reason})`,
  agent_said_idle: () => 'Its hook said: it waits for a prompt',
  agent_seen_idle: ({ shows, by }) =>
    `Baton saw ${SEEN_AT_REST[shows ?? 'nothing']} on its screen, twice${by === undefined ? '' : `, and ${REST_SAID[by]}`}`,
  agent_seen_working: ({ by, doing }) =>
    by === 'status'
      ? "Its client's status file said: it works"
      : `Baton saw on its screen that it works${doing === undefined ? '' : `: ${oneLine(doing)}`}`,
  agent_seen_unknown: ({ line }) =>
    line === null
      ? 'Baton saw an empty composer on its screen, but nothing has said that its turn ended'
      : `Baton saw a line on its screen that it cannot read: ${oneLine(line)}`,
  terminal_taken: () => 'Baton looked: another process has the foreground of its terminal, twice',
  terminal_returned: () => 'Baton looked: it has the foreground of its terminal again',
  agent_process_gone: ({ detail }) => `Baton looked: ${detail}`,
  agent_pane_lost: ({ detail }) => `Baton looked: ${detail}`,
  message_begun: ({ excerpt }) => `The operator sent a message: "${oneLine(excerpt)}"`,
  restore_wanted: () => 'The operator wants its conversation back',
  restore_failed: ({ detail }) => `Its conversation could not be brought back: ${oneLine(detail)}`,
  restore_closed: ({ detail }) => `Baton no longer offers to restore it: ${oneLine(detail)}`,
  persona_given: ({ slug }) => `The operator gave it the persona ${slug}`,
  persona_changed: ({ slug, from }) => `The operator gave it the persona ${slug} in place of ${from}`,
  answer_begun: ({ said }) => `The operator answered its question: ${oneLine(String(said))}`,
  answer_given: ({ outcome }) =>
    outcome.verdict === 'typed'
      ? 'Baton gave it the answer'
      : `Baton did not get the answer to it (${outcome.verdict}): ${oneLine(outcome.detail)}`,
  prompt_typed: ({ purpose, outcome }) =>
    outcome.verdict === 'typed'
      ? `Baton typed the ${purpose} to it`
      : `Baton did not get the ${purpose} to it (${outcome.verdict}): ${oneLine(outcome.detail)}`,
};

export const TELLING_TYPES: readonly string[] = Object.keys(TELLERS);

/** One line for people; undefined if the event does not affect the agent's state. */
export function explainEvent({ type, data }: Pick<LoggedEvent, 'type' | 'data'>): string | undefined {
  // The log stores facts as recordFact received them, so `data` has the shape of the fact of this type.
  const teller = TELLING_TYPES.includes(type)
    ? (TELLERS[type as AgentFact['type']] as (fact: unknown) => string)
    : undefined;
  return teller?.({ type, ...data });
}

const LONGEST = 120;

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
}
