import { createHash } from 'node:crypto';
import type { LoggedEvent } from '../../domain/facts.ts';

export const FIRST_HASH = '0'.repeat(64);

/** Each event's hash covers the one before it, so a changed or removed row shows at the next one. */
export function eventHash(previous: string, event: Omit<LoggedEvent, 'hash'>): string {
  const { seq, at, hostId, agentId, runId, type, data } = event;
  return createHash('sha256')
    .update(JSON.stringify([previous, seq, at, hostId, agentId, runId, type, data]))
    .digest('hex');
}
