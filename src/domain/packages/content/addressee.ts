import { isPerson, NEXT } from './package.ts';

/** The party that a name in `from.agent` or `to.agent` stands for. */
type ParsedAddressee =
  | { readonly kind: 'person' }
  /** The next agent of the workflow. */
  | { readonly kind: 'next' }
  /** One agent, for its conversation alone: a successor has another number. */
  | { readonly kind: 'agent'; readonly agentId: number }
  /** Any agent with the persona of that slug, or of that role. */
  | { readonly kind: 'persona'; readonly name: string };

const AGENT = /^agent-(\d+)$/;

export const agentName = (agentId: number): string => `agent-${agentId}`;

export function parseAddressee(name: string): ParsedAddressee {
  if (isPerson(name)) return { kind: 'person' };
  if (name === NEXT) return { kind: 'next' };
  const number = AGENT.exec(name)?.[1];
  return number === undefined ? { kind: 'persona', name } : { kind: 'agent', agentId: Number(number) };
}
