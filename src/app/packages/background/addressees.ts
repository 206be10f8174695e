import type { Agent } from '../../../domain/agents/agent.ts';
import { canonicalJson } from '../../../domain/packages/content/canonical-json.ts';
import { type Addressee, marksOf } from '../../../domain/packages/package-marks.ts';
import type { HeldUp, StoredPackage } from '../../../domain/packages/stored-package.ts';
import type { Tx } from '../../ports/store.ts';
import { namesOf } from '../package-caller.ts';

/**
 * An agent with all names by which packages can address it. Reading the names once is faster than reading them for
 * every package.
 */
export interface NamedAgent {
  readonly agent: Agent;
  readonly names: readonly string[];
}

export const withNames = (tx: Tx, agents: readonly Agent[]): readonly NamedAgent[] =>
  agents.map((agent) => ({ agent, names: namesOf(tx, agent) }));

/** Returns whether the package is addressed to this agent, so that the agent has to act on the package. */
export const isAddressee = ({ projectId, name, besides }: Addressee, { agent, names }: NamedAgent): boolean =>
  agent.projectId === projectId && agent.id !== besides && names.includes(name);

/**
 * Returns the adopted agent that holds up a package, or null if no agent holds it up. A package is held up if only
 * adopted agents could act on it, because adopted agents have no package tools (SPEC P33).
 */
export function findHeldUp(addressee: Addressee | null, agents: readonly NamedAgent[]): HeldUp | null {
  if (addressee === null) return null;
  const meant = agents.filter((each) => isAddressee(addressee, each)).map(({ agent }) => agent);
  const [first] = meant;
  const isHeldUp = first !== undefined && meant.every(isAdopted);
  return isHeldUp ? { agentId: first.id, runtime: first.runtime, name: addressee.name } : null;
}

/**
 * Returns all live agents with their names. Returns an empty list if none of them is adopted, because then no package
 * is held up.
 */
export function aroundAdopted(tx: Tx): readonly NamedAgent[] {
  const agents = tx.liveAgents();
  return agents.some(isAdopted) ? withNames(tx, agents) : [];
}

/**
 * Finds out whether the package is held up now (SPEC P33). Returns the new value of the stored field `heldUp` if the
 * value has changed, and an empty object if not.
 */
export function heldUpChange(tx: Tx, stored: StoredPackage): { readonly heldUp?: HeldUp | null } {
  const { waits } = marksOf(stored);
  // Most packages wait for no agent. For such a package, the live agents need not be read.
  const heldUp = waits === null ? null : findHeldUp(waits, aroundAdopted(tx));
  return canonicalJson(heldUp) === canonicalJson(stored.heldUp ?? null) ? {} : { heldUp };
}

/** True if the agent is an adopted session. Such a session has no token, so it cannot act on packages. */
export const isAdopted = ({ adoption }: Agent): boolean => adoption !== undefined;
