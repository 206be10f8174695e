import { isPerson } from './content/package.ts';
import { isTerminal, type PackageRecord } from './record.ts';

interface Ended {
  readonly record: PackageRecord;
  readonly readAt: string | null;
  readonly announced: string | null;
  readonly runId?: number | undefined;
}

/**
 * The party that has to hear that a package is over because it would go on waiting or working otherwise: the sender if a
 * person decided or nothing came of it, the receiver if the package was taken back.
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

/** Noted for an end that nobody was there to hear for a day. */
export const NOBODY_TO_TELL = 'over-untold';

/** Told once, and once more if nothing was typed the first time. */
export function isEndUnannounced(ended: Ended): boolean {
  const { record, announced } = ended;
  if (!isTerminal(record) || notifiedOfEnd(ended) === null || announced === NOBODY_TO_TELL) return false;
  const cause = endCause(record);
  return announced === null || !announced.startsWith(cause) || announced === `${cause}-refused`;
}
