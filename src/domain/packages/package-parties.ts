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

/**
 * Returns whether an agent is live. Only if the sender or receiver of a package has ended can another agent with the
 * same name act in its place.
 */
export type IsAlive = (agentId: number) => boolean;

/**
 * Returns the first role in `parts` that the caller has in the package (SPEC P15). If the caller has none of them,
 * returns `operator` for the operator and undefined for an agent. The state table may still refuse the operator's
 * action.
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
    // Exclude the sender by its id. In a continuation, sender and receiver have the same name, so the sender could
    // receive its own package.
    const isOwn = senderAgentId !== null && senderAgentId === caller.agentId;
    return speaks(record.to, receiverAgentId) && !isOwn;
  });
  return found ?? (caller.kind === 'operator' ? 'operator' : undefined);
}

/**
 * Returns whether the caller may see the package. A draft is visible to its author and the operator, but not to its
 * receiver.
 */
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
