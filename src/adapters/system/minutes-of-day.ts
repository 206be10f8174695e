import type { Instant } from '../../domain/instant.ts';

const clocks = new Map<string, Intl.DateTimeFormat>();

/** The local time in minutes since midnight, in the machine's own time zone if none is given. */
export function minutesOfDay(at: Instant, timeZone?: string): number {
  const parts = clockOf(timeZone).formatToParts(new Date(at));
  const shown = (type: 'hour' | 'minute'): number => Number(parts.find((part) => part.type === type)?.value);
  return shown('hour') * 60 + shown('minute');
}

function clockOf(timeZone: string | undefined): Intl.DateTimeFormat {
  const key = timeZone ?? '';
  const known = clocks.get(key);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone });
  clocks.set(key, made);
  return made;
}
