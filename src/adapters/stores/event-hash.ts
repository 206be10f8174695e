import { createHash } from 'node:crypto';
import type { LoggedEvent } from '../../domain/facts.ts';

export const FIRST_HASH = '0'.repeat(64);

/**
 * Returns the hash of an event. The hash of each event covers the hash of the previous event, so a changed or removed
 * row is detected at the next event.
 */
export function eventHash(previous: string, event: Omit<LoggedEvent, 'hash'>): string {
  const { seq, at, hostId, agentId, runId, type, data } = event;
  return createHash('sha256')
    .update(JSON.stringify([previous, seq, at, hostId, agentId, runId, type, data]))
    .digest('hex');
}
