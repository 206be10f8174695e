import type { Agent } from '../../../domain/agents/agent.ts';
import { canonicalJson } from '../../../domain/packages/content/canonical-json.ts';
import { type Addressee, marksOf } from '../../../domain/packages/package-marks.ts';
import type { HeldUp, StoredPackage } from '../../../domain/packages/stored-package.ts';
import type { Tx } from '../../ports/store.ts';
import { namesOf } from '../package-caller.ts';

/** An agent and the names that it has, which are asked for once. */
export interface NamedAgent {
  readonly agent: Agent;
  readonly names: readonly string[];
}

export const withNames = (tx: Tx, agents: readonly Agent[]): readonly NamedAgent[] =>
  agents.map((agent) => ({ agent, names: namesOf(tx, agent) }));

/** Is it this agent that has to act? */
export const isAddressee = ({ projectId, name, besides }: Addressee, { agent, names }: NamedAgent): boolean =>
  agent.projectId === projectId && agent.id !== besides && names.includes(name);

/** P33. Whoever could act has no tools, and nobody else is there; null: it can be told, or nobody is there at all. */
export function findHeldUp(addressee: Addressee | null, agents: readonly NamedAgent[]): HeldUp | null {
  if (addressee === null) return null;
  const meant = agents.filter((each) => isAddressee(addressee, each)).map(({ agent }) => agent);
  const [first] = meant;
  const isHeldUp = first !== undefined && meant.every(isAdopted);
  return isHeldUp ? { agentId: first.id, runtime: first.runtime, name: addressee.name } : null;
}

/** The agents that could hold a package up; empty as long as no agent was adopted. */
export function aroundAdopted(tx: Tx): readonly NamedAgent[] {
  const agents = tx.liveAgents();
  return agents.some(isAdopted) ? withNames(tx, agents) : [];
}

/** P33. What of it has to be noted anew. */
export function heldUpChange(tx: Tx, stored: StoredPackage): { readonly heldUp?: HeldUp | null } {
  const heldUp = findHeldUp(marksOf(stored).waits, aroundAdopted(tx));
  return canonicalJson(heldUp) === canonicalJson(stored.heldUp ?? null) ? {} : { heldUp };
}

/** Its session has no token of its own, so it could not answer for a package as itself. */
export const isAdopted = ({ adoption }: Agent): boolean => adoption !== undefined;
