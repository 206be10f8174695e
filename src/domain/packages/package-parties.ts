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

/** Whether an agent is live. An ended agent loses its role, so that another agent with its name can act. */
export type IsAlive = (agentId: number) => boolean;

/**
 * P15. Which of the roles in `parts` the caller has. The operator may try everything; the state table may refuse it.
 */
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
    // In a continuation, sender and receiver have the same name, but the author must not receive its own package.
    const isOwn = senderAgentId !== null && senderAgentId === caller.agentId;
    return speaks(record.to, receiverAgentId) && !isOwn;
  });
  return found ?? (caller.kind === 'operator' ? 'operator' : undefined);
}

/** A draft is visible to its author only, not to its receiver. */
export const isParty = ({ record }: StoredPackage, { kind, names }: PackageCaller): boolean =>
  kind === 'operator' || names.includes(record.from) || (record.state !== 'draft' && names.includes(record.to));

/** Returns whether this caller must act on the package now. */
export function waitsFor(stored: StoredPackage, caller: PackageCaller): boolean {
  const { waiter, from, to } = stored.record;
  if (isHandoffPackage(stored)) return false;
  if (waiter === 'sender') return caller.names.includes(from);
  if (waiter === 'receiver') return caller.names.includes(to);
  return waiter !== null && caller.kind === 'operator';
}
