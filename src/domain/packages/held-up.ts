import { parseAddressee } from './content/addressee.ts';
import { isPerson } from './content/package.ts';
import type { PackageRecord } from './record.ts';
import { type HeldUp, isHandoffPackage, type StoredPackage } from './stored-package.ts';

/** Returns the name of the agent that must act now; undefined if no agent must act. */
export function awaitedName({ state, waiter, from, to }: PackageRecord): string | undefined {
  const name = waiter === 'receiver' ? to : waiter === 'sender' ? from : undefined;
  return name === undefined || state === 'draft' || isPerson(name) ? undefined : name;
}

/**
 * Returns the agent that Baton notified last, if the package still waits for this agent (SPEC P37). Returns undefined
 * if the package waits for another party, or if another agent with the same name has accepted the package.
 */
export function notifiedAndAwaited(stored: StoredPackage): NonNullable<StoredPackage['told']> | undefined {
  const { record, told, receiverAgentId, acceptedAt } = stored;
  if (told == null || told.name !== awaitedName(record)) return undefined;
  const isTaken = record.state === 'accepted' && receiverAgentId !== told.agentId && told.at <= (acceptedAt ?? '');
  return isTaken ? undefined : told;
}

/**
 * Returns the adopted agent that holds the package up, as last recorded. Returns undefined if no such agent is
 * recorded, or if the package now waits for an agent with another name.
 */
export function heldUpBy(stored: StoredPackage): HeldUp | undefined {
  const { heldUp = null, record } = stored;
  return heldUp === null || isHandoffPackage(stored) || awaitedName(record) !== heldUp.name ? undefined : heldUp;
}

export const heldUpSentence = ({ record }: StoredPackage, { agentId, name }: HeldUp): string =>
  `Package ${record.id} waits for ${name}, but the only agent of that name, agent ${agentId}, was adopted: it has no package tools, so Baton does not notify it.`;

export function heldUpHint({ record, projectId }: StoredPackage, { agentId, runtime, name }: HeldUp): string {
  const cancel = `baton package cancel ${record.id}`;
  // If the package is addressed to the adopted agent's number (`agent-N`), a handoff of this agent does not help. The
  // successor gets another number, so the package would still wait for the old number.
  if (parseAddressee(name).kind === 'agent')
    return `Cancel the package (${cancel}), and send a new one to a persona or to an agent that Baton started.`;
  return `Hand agent ${agentId} off, then Baton notifies its successor: baton handoff ${agentId} - or start another agent: baton agent start --project ${projectId} --persona ${name} --runtime ${runtime} - or cancel the package: ${cancel}`;
}
