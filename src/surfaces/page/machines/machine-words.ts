import type { Machine } from '../../../contract/fleet.ts';
import type { Tone } from '../../../contract/words/tone.ts';

const PRESENCE: Readonly<Record<Machine['presence'], { readonly tone: Tone; readonly word: string }>> = {
  up: { tone: 'green', word: 'Up' },
  away: { tone: 'amber', word: 'Away' },
  unknown: { tone: 'grey', word: 'Unknown' },
};

/** Returns the word and color of a machine's badge. A machine is `Up` only while its reports arrive. */
export const presenceInWords = (presence: Machine['presence']): { readonly tone: Tone; readonly word: string } =>
  PRESENCE[presence];

/**
 * Returns how many events of another machine's log this machine has not received yet. Returns null if the number is
 * unknown, for example because the other machine does not report.
 */
export const lagOf = ({
  live,
  log_end,
  log_position,
}: Pick<Machine, 'live' | 'log_end' | 'log_position'>): number | null =>
  !live || log_end === null || log_position === null ? null : Math.max(0, log_end - log_position);

export function lagInWords(lag: number | null): string {
  if (lag === null) return 'unknown';
  if (lag === 0) return 'none';
  return lag === 1 ? '1 event' : `${lag} events`;
}

/** Returns a count with its noun, for example `3 agents`. */
export const counted = (count: number, one: string): string => (count === 1 ? `1 ${one}` : `${count} ${one}s`);

/** Sorts machines: this machine first, then machines where something needs the operator, then by name. */
export const byNeed = (one: Machine, other: Machine): number =>
  Number(other.is_self) - Number(one.is_self) ||
  Number(other.needs > 0) - Number(one.needs > 0) ||
  one.name.localeCompare(other.name);
