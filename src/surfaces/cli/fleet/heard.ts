import type { Heard } from '../../../contract/fleet.ts';
import { ink, type Part, textOf } from '../output/ink.ts';
import { ago } from '../output/when.ts';

/**
 * Returns a line that says how old a list of another machine is, to print above the list. Returns no line for a list of
 * this machine or of a machine that is up.
 */
export function heardLine(heard: Heard | undefined): Part[][] {
  if (heard === undefined || heard.live) return [];
  const { machine, presence, last_heard_at: at } = heard;
  const why = presence === 'away' ? `${machine} is away` : `Baton cannot tell whether ${machine} is up`;
  const age = at === null ? 'it has not reported yet' : `this is as of ${ago(at)}`;
  return [[ink('yellow', `${why}; ${age}. See: baton fleet status`)]];
}

/** Writes `was idle` instead of `idle` if the machine of the object is not known to be up. */
export function asHeard(heard: Heard | undefined, state: Part): Part {
  if (heard === undefined || heard.live) return state;
  return ink('dim', `was ${textOf(state)}`);
}
