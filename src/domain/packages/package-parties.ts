import type { Actor } from './package-facts.ts';
import { isHandoffPackage, type StoredPackage } from './stored-package.ts';

/** The caller, identified by its token. */
export interface PackageCaller {
  readonly kind: 'operator' | 'agent';
  /** The names by which packages can be addressed to the caller. */
  readonly names: readonly string[];
  readonly agentId: number | null;
  readonly session: string;
  readonly persona: string | null;
  readonly projectId: number | null;
}

/** An ended agent keeps no role, so that another agent with its name can act. */
export type IsAlive = (agentId: number) => boolean;

/** P15. The caller's role in the package, out of `parts`. The operator may try everything; the table decides. */
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
    // In a continuation sender and receiver have the same name, but the agent that wrote it cannot receive it.
    const isOwn = senderAgentId !== null && senderAgentId === caller.agentId;
    return speaks(record.to, receiverAgentId) && !isOwn;
  });
  return found ?? (caller.kind === 'operator' ? 'operator' : undefined);
}

/** A draft is visible to its author only, not to its receiver. */
export const isParty = ({ record }: StoredPackage, { kind, names }: PackageCaller): boolean =>
  kind === 'operator' || names.includes(record.from) || (record.state !== 'draft' && names.includes(record.to));

/** Must this caller act on the package now? */
export function waitsFor(stored: StoredPackage, caller: PackageCaller): boolean {
  const { waiter, from, to } = stored.record;
  if (isHandoffPackage(stored)) return false;
  if (waiter === 'sender') return caller.names.includes(from);
  if (waiter === 'receiver') return caller.names.includes(to);
  return waiter !== null && caller.kind === 'operator';
}
