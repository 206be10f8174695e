import { createHash } from 'node:crypto';
import type { LoggedEvent } from '../../domain/facts.ts';
import { eventHash, FIRST_HASH } from './event-hash.ts';

/** The event that answers for what `baton purge` took out of the log. It is never purged itself. */
export const HISTORY_PURGED = 'history_purged';
/** What stands in the place of an event's data once it was purged. */
export const PURGED_DATA = { purged: true } as const;

export type Range = readonly [first: number, last: number];

export const isPurged = ({ data }: Pick<LoggedEvent, 'data'>): boolean =>
  data.purged === true && Object.keys(data).length === 1;

/** Of all that is left of purged events, in their order: their place, their time, and the hash that they had. */
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
  /** The next event, in order of their numbers; false: it does not follow from the one before it. */
  take(event: LoggedEvent): boolean;
  /** After the last: the first purged event that no purge answers for. */
  end(): number | undefined;
}

/**
 * A purged event no longer shows what its hash covers, so its hash is taken as it is: the next event covers it. That
 * alone would let anybody blank an event, so each has to be named by a purge, together with all that is left of it.
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
