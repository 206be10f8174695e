import type { Agent } from '../../domain/agent/agent.ts';
import { canonicalJson } from '../../domain/package/canonical-json.ts';
import { awaitedName } from '../../domain/package/held-up.ts';
import { hearsOfEnd } from '../../domain/package/package-end.ts';
import { type HeldUp, type StoredPackage, tellsOfRun } from '../../domain/package/stored-package.ts';
import type { Tx } from '../ports/store.ts';
import { namesOf } from './package-caller.ts';

/** Is it this agent, under that name, that has to act on the package? */
export const isMeant = (tx: Tx, stored: StoredPackage, name: string, agent: Agent): boolean =>
  agent.projectId === stored.projectId && agent.id !== otherParty(stored) && namesOf(tx, agent).includes(name);

/** Of a continuation both names are the same: the session that wrote it is not told of it. */
const otherParty = (stored: StoredPackage): number | null => {
  const { record, senderAgentId } = stored;
  const isBack = record.state === 'clarifying' || record.state === 'accepted' || hearsOfEnd(stored) === 'sender';
  return isBack ? null : senderAgentId;
};

/** Whoever could act has no tools, and nobody else is there; null: it can be told, or nobody is there at all. */
function findHeldUp(tx: Tx, stored: StoredPackage): HeldUp | null {
  const name = awaitedName(stored.record);
  if (name === undefined || tellsOfRun(stored)) return null;
  const agents = tx.liveAgents();
  if (!agents.some(isAdopted)) return null;
  const meant = agents.filter((agent) => isMeant(tx, stored, name, agent));
  const [first] = meant;
  return first === undefined || !meant.every(isAdopted) ? null : { agentId: first.id, runtime: first.runtime, name };
}

/** P33. What of it has to be noted anew. */
export function heldUpChange(tx: Tx, stored: StoredPackage): { readonly heldUp?: HeldUp | null } {
  const heldUp = findHeldUp(tx, stored);
  return canonicalJson(heldUp) === canonicalJson(stored.heldUp ?? null) ? {} : { heldUp };
}

/** Its session has no token of its own, so it could not answer for a package as itself. */
export const isAdopted = ({ adoption }: Agent): boolean => adoption !== undefined;
