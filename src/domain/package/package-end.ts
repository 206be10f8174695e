import { HUMAN } from './package.ts';
import { isTerminal, type PackageRecord } from './record.ts';

interface Ended {
  readonly record: PackageRecord;
  readonly readAt: string | null;
  readonly announced: string | null;
  readonly runId?: number | undefined;
}

/**
 * Who has to hear that a package is over because he cannot know it and would go on waiting, or working: its sender if it came to
 * nothing, its receiver if it was taken from him. What was rejected by a person comes back as rework (P31).
 */
export function hearsOfEnd({ record, readAt, runId }: Ended): 'sender' | 'receiver' | null {
  const { state, from, to, senderGone, decision, endedBy } = record;
  if (runId !== undefined) return null;
  const sender = from === HUMAN || senderGone ? null : 'sender';
  switch (state) {
    case 'rejected':
      return decision === null ? sender : null;
    case 'failed':
    case 'expired':
      return sender;
    case 'cancelled':
    case 'superseded':
      if (to !== HUMAN && readAt !== null && endedBy !== 'receiver') return 'receiver';
      return endedBy === 'operator' ? sender : null;
    default:
      return null;
  }
}

export const endCause = ({ state }: PackageRecord): string => `over-${state}`;

/** Told once; once more if nothing was typed the first time; and not at all once nobody has been there for a day. */
export const NOBODY_TO_TELL = 'over-untold';

export function isEndUntold(ended: Ended): boolean {
  const { record, announced } = ended;
  if (!isTerminal(record) || hearsOfEnd(ended) === null || announced === NOBODY_TO_TELL) return false;
  const cause = endCause(record);
  return announced === null || !announced.startsWith(cause) || announced === `${cause}-refused`;
}
