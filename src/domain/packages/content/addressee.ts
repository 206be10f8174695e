import { isPerson, NEXT } from './package.ts';

/** The party that a name in `from.agent` or `to.agent` refers to. */
type ParsedAddressee =
  | { readonly kind: 'person' }
  /** The agent of the next workflow step. */
  | { readonly kind: 'next' }
  /**
   * Exactly one agent, addressed by its number. A successor has another number, so the package does not go to the
   * successor.
   */
  | { readonly kind: 'agent'; readonly agentId: number }
  /** Any agent whose persona has this slug or this role. */
  | { readonly kind: 'persona'; readonly name: string };

const AGENT = /^agent-(\d+)$/;

export const agentName = (agentId: number): string => `agent-${agentId}`;

export function parseAddressee(name: string): ParsedAddressee {
  if (isPerson(name)) return { kind: 'person' };
  if (name === NEXT) return { kind: 'next' };
  const number = AGENT.exec(name)?.[1];
  return number === undefined ? { kind: 'persona', name } : { kind: 'agent', agentId: Number(number) };
}
