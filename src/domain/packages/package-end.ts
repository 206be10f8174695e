import { isPerson } from './content/package.ts';
import { isTerminal, type PackageRecord } from './record.ts';

interface Ended {
  readonly record: PackageRecord;
  readonly readAt: string | null;
  readonly announced: string | null;
  readonly runId?: number | undefined;
}

/**
 * Returns the party that Baton notifies when the package has ended; null if there is none. If a person's decision
 * completed the package, or if the package was rejected or failed, Baton notifies the sender. If the package was
 * canceled, Baton notifies a receiver that has read the package. If there is no such receiver and the operator canceled
 * the package, Baton notifies the sender.
 */
export function notifiedOfEnd({ record, readAt, runId }: Ended): 'sender' | 'receiver' | null {
  const { state, from, to, senderGone, decision, endedBy } = record;
  if (runId !== undefined) return null;
  const sender = isPerson(from) || senderGone ? null : 'sender';
  switch (state) {
    case 'completed':
      return decision === null ? null : sender;
    case 'rejected':
    case 'failed':
      return sender;
    case 'cancelled':
      if (!isPerson(to) && readAt !== null && endedBy !== 'receiver') return 'receiver';
      return endedBy === 'operator' ? sender : null;
    default:
      return null;
  }
}

export const endCause = ({ state }: PackageRecord): string => `over-${state}`;

/**
 * A value of `announced`: Baton has searched for a day for a live agent to notify and found none, so Baton no longer
 * tries to announce that the package has ended.
 */
export const NOBODY_TO_TELL = 'over-untold';

/**
 * True if Baton must still announce that the package has ended. Baton makes this announcement once, and a second time
 * if the first announcement was refused.
 */
export function isEndUnannounced(ended: Ended): boolean {
  const { record, announced } = ended;
  if (!isTerminal(record) || notifiedOfEnd(ended) === null || announced === NOBODY_TO_TELL) return false;
  return attemptFor(endCause(record), announced) !== 'made';
}

export const refusedCause = (cause: string): string => `${cause}-refused`;

/**
 * Returns whether Baton has announced this cause. `refused`: the first announcement was refused, and there was no
 * second one. `made`: the first announcement succeeded, or Baton has made a second one after the refusal.
 */
export function attemptFor(cause: string, announced: string | null): 'none' | 'refused' | 'made' {
  if (announced === null || (announced !== cause && !announced.startsWith(`${cause}-`))) return 'none';
  return announced === refusedCause(cause) ? 'refused' : 'made';
}
