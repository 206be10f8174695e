import type { Event } from '../../../contract/resources.ts';

/** Returns the sentence that describes an event. Adds the agent's current name after the agent's number. */
export function withLabel({ sentence, agent_id }: Pick<Event, 'sentence' | 'agent_id'>, label?: string): string {
  if (agent_id === null || label === undefined) return sentence;
  const agent = `Agent ${agent_id}`;
  const at = sentence.indexOf(agent);
  const end = at + agent.length;
  // If a digit follows the words "Agent 1", the sentence is about another agent, such as "Agent 12".
  if (at === -1 || /^\d/.test(sentence.slice(end))) return sentence;
  return `${sentence.slice(0, end)} (${label})${sentence.slice(end)}`;
}
