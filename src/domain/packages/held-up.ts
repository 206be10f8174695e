import { parseAddressee } from './content/addressee.ts';
import { isPerson } from './content/package.ts';
import type { PackageRecord } from './record.ts';
import { type HeldUp, isHandoffPackage, type StoredPackage } from './stored-package.ts';

/** The name of the agent that must act now; undefined: none, or a person. */
export function awaitedName({ state, waiter, from, to }: PackageRecord): string | undefined {
  const name = waiter === 'receiver' ? to : waiter === 'sender' ? from : undefined;
  return name === undefined || state === 'draft' || isPerson(name) ? undefined : name;
}

/** The stored note, if it is still about the name that the package waits for. */
export function heldUpBy(stored: StoredPackage): HeldUp | undefined {
  const { heldUp = null, record } = stored;
  return heldUp === null || isHandoffPackage(stored) || awaitedName(record) !== heldUp.name ? undefined : heldUp;
}

export const heldUpSentence = ({ record }: StoredPackage, { agentId, name }: HeldUp): string =>
  `Package ${record.id} waits for ${name}, which only agent ${agentId} is: you adopted it, so Baton cannot give it the package tools, and it is not told.`;

export function heldUpHint({ record, projectId }: StoredPackage, { agentId, runtime, name }: HeldUp): string {
  const cancel = `baton package cancel ${record.id}`;
  // A package addressed to `agent-N` would not reach the successor, which has another number.
  if (parseAddressee(name).kind === 'agent')
    return `Take it back (${cancel}), and send it to a persona or to an agent that Baton has started.`;
  return `Hand agent ${agentId} over, its successor is told: baton handoff ${agentId} - or start another: baton agent start --project ${projectId} --persona ${name} --runtime ${runtime} - or take the package back: ${cancel}`;
}
