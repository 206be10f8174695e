import { createHash } from 'node:crypto';
import type { LoggedEvent } from '../../domain/facts.ts';
import { eventHash, FIRST_HASH } from './event-hash.ts';

/** The event that records what `baton purge` removed from the log. It is never purged itself. */
export const HISTORY_PURGED = 'history_purged';
/** Replaces the data of a purged event. */
export const PURGED_DATA = { purged: true } as const;

export type Range = readonly [first: number, last: number];

export const isPurged = ({ data }: Pick<LoggedEvent, 'data'>): boolean =>
  data.purged === true && Object.keys(data).length === 1;

/** The hash over the remaining fields of purged events, in order: number, time, ids, type and original hash. */
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
  /** Checks the next event in order of numbers. Returns false if its hash does not follow from the previous event. */
  take(event: LoggedEvent): boolean;
  /** Call after the last event. Returns the first purged event that no `history_purged` event names. */
  end(): number | undefined;
}

/**
 * The data of a purged event is gone, so its hash cannot be recomputed and is only covered by the hash of the next
 * event. That alone would let anybody blank an event, so a `history_purged` event must name each purged event, with a
 * digest of its remaining fields.
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
