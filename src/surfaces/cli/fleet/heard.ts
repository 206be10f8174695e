import type { Heard } from '../../../contract/fleet.ts';
import { ink, type Part, textOf } from '../output/ink.ts';
import { ago } from '../output/when.ts';

/**
 * Returns the line that is printed above a list of another machine's objects. The line says how old the list is.
 * Returns no line for a list of this machine, or of a machine that is up.
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
