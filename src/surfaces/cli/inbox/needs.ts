import { type Agent, type AgentList, Inbox, type InboxItem } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import { shortenPaths, withoutAgent } from '../../../contract/words/shorten-paths.ts';
import type { Answer, ApiClient } from '../client/api-client.ts';
import { ago } from '../output/when.ts';
import { worstFirst } from './worst-first.ts';

/**
 * Returns, for each agent that needs the operator, a sentence that says what the operator must do. The key of the map
 * is the agent's number. An older server does not send such sentences; they are then made from the inbox items.
 */
export async function needsOf(api: ApiClient, { data }: Answer<AgentList>): Promise<ReadonlyMap<number, string>> {
  const isOlder = data.agents.some(({ needs }) => needs === undefined);
  const items = isOlder ? worstFirst((await api.get(PATHS.inbox, Inbox)).data.items) : [];
  const all = data.agents.map((agent) => [agent.id, needOf(agent, items)] as const);
  return new Map(all.filter(([, sentence]) => sentence !== ''));
}

function needOf(agent: Agent, items: readonly InboxItem[]): string {
  if (agent.auto_handoff?.countdown)
    return `handoff by itself ${ago(agent.auto_handoff.countdown.due_at)}: baton policy cancel ${agent.id}`;
  if (agent.needs === undefined) return derived(agent, items);
  if (agent.needs === null) return '';
  const { severity, sentence } = agent.needs;
  const asked = severity === 'question' ? questionOf(agent) : null;
  return asked === null ? `${severity}: ${withoutName(sentence, agent)}` : `question: ${asked}`;
}

/**
 * Returns the text of the agent's open question on one line, such as the command that the agent wants to run; null if
 * the text is not known.
 */
export const questionOf = ({ state, question }: Agent): string | null =>
  state === 'awaiting_input' && question ? question.text.replaceAll(/\s+/g, ' ').trim() : null;

/**
 * Removes the agent's name and number from the beginning of a sentence, because the agent's row in the table already
 * shows both. Also shortens long paths.
 */
const withoutName = (sentence: string, agent: Agent): string =>
  shortenPaths(withoutAgent(sentence, agent))
    .map(({ shown }) => shown)
    .join('');

/**
 * Returns the sentence that describes the agent's worst inbox item. Without an inbox item, returns a hint about the
 * agent's state, or an empty text.
 */
function derived(agent: Agent, items: readonly InboxItem[]): string {
  const item = items.find(
    ({ agent_id, run_id }) => agent_id === agent.id || (run_id !== null && run_id === agent.run_id),
  );
  if (item !== undefined) return item.sentence;
  if (agent.state === 'awaiting_input') return `Answer: baton agent answer ${agent.id}`;
  if (agent.handoff_offer.offered) return `Hand off: baton handoff ${agent.id}`;
  return '';
}
