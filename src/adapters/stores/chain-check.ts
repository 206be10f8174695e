import { createHash } from 'node:crypto';
import type { LoggedEvent } from '../../domain/facts.ts';
import { eventHash, FIRST_HASH } from './event-hash.ts';

/** The type of the event that records what `baton purge` removed from the log. Events of this type are never purged. */
export const HISTORY_PURGED = 'history_purged';
/** The data that a purged event gets instead of its own data. */
export const PURGED_DATA = { purged: true } as const;

export type Range = readonly [first: number, last: number];

export const isPurged = ({ data }: Pick<LoggedEvent, 'data'>): boolean =>
  data.purged === true && Object.keys(data).length === 1;

/**
 * Returns a hash over the fields that purged events still have, in order: number, time, ids, type and original hash.
 */
export function digestOfPurged(events: readonly Omit<LoggedEvent, 'data'>[]): string {
  const lines = events.map(({ seq, at, hostId, agentId, runId, type, hash }) =>
    JSON.stringify([seq, at, hostId, agentId, runId, type, hash]),
  );
  return createHash('sha256').update(lines.join('\n')).digest('hex');
}

export function rangesOf(seqs: readonly number[]): readonly Range[] {
  const ranges: [number, number][] = [];
  for (const seq of seqs) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === seq - 1) last[1] = seq;
    else ranges.push([seq, seq]);
  }
  return ranges;
}

export interface ChainCheck {
  /**
   * Checks the next event of the log. Must be called in the order of event numbers. Returns false if an event is
   * missing before this one, if the hash of this event is wrong, or if this event lists purged events with a wrong
   * digest.
   */
  take(event: LoggedEvent): boolean;
  /**
   * Ends the check. Must be called after the last event. Returns the first purged event that is not listed in any
   * `history_purged` event.
   */
  end(): number | undefined;
}

/**
 * Checks the hash chain of the log. The hash of a purged event cannot be recomputed, because the event has lost its
 * data. So a changed event could be disguised as a purged one. To prevent this, a `history_purged` event must list each
 * purged event, with a digest of the remaining fields.
 */
export function createChainCheck(): ChainCheck {
  let previous = FIRST_HASH;
  let expected = 1;
  const unanswered = new Map<number, Omit<LoggedEvent, 'data'>>();

  const answers = ({ data }: LoggedEvent): boolean => {
    const named = purgedIn(data.ranges, unanswered);
    if (named === undefined || digestOfPurged(named) !== data.digest) return false;
    for (const { seq } of named) unanswered.delete(seq);
    return true;
  };
  return {
    take: (event) => {
      if (event.seq !== expected) return false;
      if (isPurged(event)) {
        const { data: _, ...left } = event;
        unanswered.set(event.seq, left);
      } else if (event.hash !== eventHash(previous, event)) return false;
      else if (event.type === HISTORY_PURGED && !answers(event)) return false;
      previous = event.hash;
      expected++;
      return true;
    },
    end: () => unanswered.keys().next().value,
  };
}

function purgedIn(ranges: unknown, known: ReadonlyMap<number, Omit<LoggedEvent, 'data'>>) {
  const named: Omit<LoggedEvent, 'data'>[] = [];
  for (const [first, last] of ranges as readonly Range[]) {
    for (let seq = first; seq <= last; seq++) {
      const event = known.get(seq);
      if (event === undefined) return undefined;
      named.push(event);
    }
  }
  return named;
}
