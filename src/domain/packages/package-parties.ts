import type { Actor } from './package-facts.ts';
import { isHandoffPackage, type StoredPackage } from './stored-package.ts';

/** The caller as the host knows it by token. */
export interface PackageCaller {
  readonly kind: 'operator' | 'agent';
  /** The names under which packages reach the caller. */
  readonly names: readonly string[];
  readonly agentId: number | null;
  readonly session: string;
  readonly persona: string | null;
  readonly projectId: number | null;
}

/** An ended session speaks for nobody, so that another agent of its name can. */
export type IsAlive = (agentId: number) => boolean;

/** P15. The caller's part in the package, of those that may act; the operator may try everything, and the table judges. */
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
    // A continuation has one name on both sides: the session that wrote it is not the one that continues.
    const isOwn = senderAgentId !== null && senderAgentId === caller.agentId;
    return speaks(record.to, receiverAgentId) && !isOwn;
  });
  return found ?? (caller.kind === 'operator' ? 'operator' : undefined);
}

/** A draft belongs to its author: the receiver that it names does not see it. */
export const isParty = ({ record }: StoredPackage, { kind, names }: PackageCaller): boolean =>
  kind === 'operator' || names.includes(record.from) || (record.state !== 'draft' && names.includes(record.to));

/** Must this caller do something about it now? */
export function waitsFor(stored: StoredPackage, caller: PackageCaller): boolean {
  const { waiter, from, to } = stored.record;
  if (isHandoffPackage(stored)) return false;
  if (waiter === 'sender') return caller.names.includes(from);
  if (waiter === 'receiver') return caller.names.includes(to);
  return waiter !== null && caller.kind === 'operator';
}
