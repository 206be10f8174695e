import { isPerson } from './content/package.ts';
import { isTerminal, type PackageRecord } from './record.ts';

interface Ended {
  readonly record: PackageRecord;
  readonly readAt: string | null;
  readonly announced: string | null;
  readonly runId?: number | undefined;
}

/**
 * Returns the party that must be notified of the package's end, because it would otherwise wait or work in vain. After
 * a decision, a refusal or a failure, this is the sender. After a cancellation, it is the receiver if the receiver has
 * read the package; otherwise it is the sender if the operator canceled the package.
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

/** The value of `announced` for an ended package if Baton has searched for a day and found no live agent to notify. */
export const NOBODY_TO_TELL = 'over-untold';

/**
 * True if the end of the package must still be announced. The end is announced once, and once more if the first attempt
 * was refused.
 */
export function isEndUnannounced(ended: Ended): boolean {
  const { record, announced } = ended;
  if (!isTerminal(record) || notifiedOfEnd(ended) === null || announced === NOBODY_TO_TELL) return false;
  return attemptFor(endCause(record), announced) !== 'made';
}

export const refusedCause = (cause: string): string => `${cause}-refused`;

/**
 * Returns whether this cause was announced. `made` means that the first announcement, or a second one after a refusal,
 * was sent.
 */
export function attemptFor(cause: string, announced: string | null): 'none' | 'refused' | 'made' {
  if (announced === null || (announced !== cause && !announced.startsWith(`${cause}-`))) return 'none';
  return announced === refusedCause(cause) ? 'refused' : 'made';
}
