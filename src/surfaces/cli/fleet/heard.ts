import type { Heard } from '../../../contract/fleet.ts';
import { ink, type Part, textOf } from '../output/ink.ts';
import { ago } from '../output/when.ts';

/**
 * Returns a line that says how old a list of another machine's objects is. The line is printed above the list. Returns
 * no line if the list is about this machine, or about a machine that is up.
 */
export function heardLine(heard: Heard | undefined): Part[][] {
  if (heard === undefined || heard.live) return [];
  const { machine, presence, last_heard_at: at } = heard;
  const why = presence === 'away' ? `${machine} is away` : `Baton cannot tell whether ${machine} is up`;
  const age = at === null ? 'it has not reported yet' : `this is as of ${ago(at)}`;
  return [[ink('yellow', `${why}; ${age}. See: baton fleet status`)]];
}

/**
 * Describes the state of an object on another machine. If that machine may be down, writes `was idle` instead of
 * `idle`.
 */
export function asHeard(heard: Heard | undefined, state: Part): Part {
  if (heard === undefined || heard.live) return state;
  return ink('dim', `was ${textOf(state)}`);
}
