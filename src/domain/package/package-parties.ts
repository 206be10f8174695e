import type { Actor } from './package-facts.ts';
import type { Party } from './record.ts';
import { type StoredPackage, tellsOfRun } from './stored-package.ts';

/** Who calls, as the host knows him by token: never by what he says. */
export interface PackageCaller {
  readonly kind: 'operator' | 'agent';
  /** The names under which packages reach him. */
  readonly names: readonly string[];
  readonly agentId: number | null;
  readonly session: string;
  readonly persona: string | null;
  readonly projectId: number | null;
}

/** Which sessions live: one that has gone speaks for nobody, and another of the same name may. */
export type IsAlive = (agentId: number) => boolean;

/** P15. The part that the caller has in this package, of those that were asked for; undefined: none of them. */
export function partIn(
  stored: StoredPackage,
  caller: PackageCaller,
  parts: readonly ('sender' | 'receiver')[],
  isAlive: IsAlive,
): Actor | undefined {
  const { record, senderAgentId, receiverAgentId } = stored;
  const speaks = (name: string, bound: number | null): boolean =>
    caller.names.includes(name) && (bound === null || bound === caller.agentId || !isAlive(bound));
  const found = parts.find((part) => {
    if (part === 'sender') return speaks(record.from, senderAgentId);
    // Of a continuation both names are the same: the session that wrote it is not the one to continue.
    const isOwn = senderAgentId !== null && senderAgentId === caller.agentId;
    return speaks(record.to, receiverAgentId) && !isOwn;
  });
  if (found !== undefined) return found;
  return caller.kind === 'operator' ? operatorFor(record.owner) : undefined;
}

/** A person acts for himself and, where the sender is gone, for the host. */
const operatorFor = (owner: Party): Actor => (owner === 'orchestrator' ? 'host' : 'operator');

/** A draft is its author's: whom it names has not been sent anything yet. */
export const isParty = ({ record }: StoredPackage, { kind, names }: PackageCaller): boolean =>
  kind === 'operator' || names.includes(record.from) || (record.state !== 'draft' && names.includes(record.to));

/** Must this caller do something about it now? */
export function waitsFor(stored: StoredPackage, caller: PackageCaller): boolean {
  const { record } = stored;
  if (tellsOfRun(stored)) return false;
  const { waiter, from, to, state } = record;
  // What is on its way to an agent waits for the host to tell it, and for the agent to read it.
  if (state === 'pending') return caller.names.includes(to);
  if (waiter === 'sender') return caller.names.includes(from);
  if (waiter === 'receiver') return caller.names.includes(to);
  return waiter !== null && caller.kind === 'operator';
}
