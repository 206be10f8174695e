import { isPerson } from './content/package.ts';
import { isTerminal, type PackageRecord } from './record.ts';

interface Ended {
  readonly record: PackageRecord;
  readonly readAt: string | null;
  readonly announced: string | null;
  readonly runId?: number | undefined;
}

/**
 * Returns the party to notify of the package's end, so that this party does not wait or work in vain; null if no party
 * must be notified. After a decision, a refusal or a failure, Baton notifies the sender. After a cancellation, Baton
 * notifies the receiver if the receiver has read the package. Otherwise Baton notifies the sender, but only if the
 * operator canceled the package.
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
 * This value of `announced` means that Baton has searched for a live agent for a day, found none, and will not announce
 * the end of the package.
 */
export const NOBODY_TO_TELL = 'over-untold';

/**
 * True if Baton must still announce the end of the package. Baton announces the end once, and a second time if the
 * first announcement was refused.
 */
export function isEndUnannounced(ended: Ended): boolean {
  const { record, announced } = ended;
  if (!isTerminal(record) || notifiedOfEnd(ended) === null || announced === NOBODY_TO_TELL) return false;
  return attemptFor(endCause(record), announced) !== 'made';
}

export const refusedCause = (cause: string): string => `${cause}-refused`;

/**
 * Returns whether Baton has announced this cause. `refused`: the first announcement was refused. `made`: Baton has sent
 * the first announcement, or has sent a second one after a refusal.
 */
export function attemptFor(cause: string, announced: string | null): 'none' | 'refused' | 'made' {
  if (announced === null || (announced !== cause && !announced.startsWith(`${cause}-`))) return 'none';
  return announced === refusedCause(cause) ? 'refused' : 'made';
}
