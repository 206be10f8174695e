import { createHash } from 'node:crypto';
import type { LoggedEvent } from '../../domain/facts.ts';

export const FIRST_HASH = '0'.repeat(64);

/** The hash of each event covers the hash before it, so the next event reveals a changed or removed row. */
export function eventHash(previous: string, event: Omit<LoggedEvent, 'hash'>): string {
  const { seq, at, hostId, agentId, runId, type, data } = event;
  return createHash('sha256')
    .update(JSON.stringify([previous, seq, at, hostId, agentId, runId, type, data]))
    .digest('hex');
}
