import type { Agent } from '../../domain/agent/agent.ts';
import { canonicalJson } from '../../domain/package/canonical-json.ts';
import { type Addressee, marksOf } from '../../domain/package/package-marks.ts';
import type { HeldUp, StoredPackage } from '../../domain/package/stored-package.ts';
import type { Tx } from '../ports/store.ts';
import { namesOf } from './package-caller.ts';

/** Is it this agent that has to act? */
export const isMeant = (tx: Tx, { projectId, name, besides }: Addressee, agent: Agent): boolean =>
  agent.projectId === projectId && agent.id !== besides && namesOf(tx, agent).includes(name);

/** P33. Whoever could act has no tools, and nobody else is there; null: it can be told, or nobody is there at all. */
export function findHeldUp(tx: Tx, addressee: Addressee | null, agents: readonly Agent[]): HeldUp | null {
  if (addressee === null || !agents.some(isAdopted)) return null;
  const meant = agents.filter((agent) => isMeant(tx, addressee, agent));
  const [first] = meant;
  const isHeldUp = first !== undefined && meant.every(isAdopted);
  return isHeldUp ? { agentId: first.id, runtime: first.runtime, name: addressee.name } : null;
}

/** P33. What of it has to be noted anew. */
export function heldUpChange(tx: Tx, stored: StoredPackage): { readonly heldUp?: HeldUp | null } {
  const heldUp = findHeldUp(tx, marksOf(stored).waits, tx.liveAgents());
  return canonicalJson(heldUp) === canonicalJson(stored.heldUp ?? null) ? {} : { heldUp };
}

/** Its session has no token of its own, so it could not answer for a package as itself. */
export const isAdopted = ({ adoption }: Agent): boolean => adoption !== undefined;
