import type { Event } from '../../../contract/resources.ts';

/** The server's sentence, with the agent's present name behind its number. */
export function withLabel({ sentence, agent_id }: Pick<Event, 'sentence' | 'agent_id'>, label?: string): string {
  if (agent_id === null || label === undefined) return sentence;
  return sentence.replace(new RegExp(`\\bAgent ${agent_id}\\b`), (agent) => `${agent} (${label})`);
}
