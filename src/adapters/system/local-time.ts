import type { Instant } from '../../domain/instant.ts';

const FORMAT = {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
} as const;

const formats = new Map<string, Intl.DateTimeFormat>();

/** The local time in minutes since midnight, in the machine's own time zone if none is given. */
export function minutesOfDay(at: Instant, timeZone?: string): number {
  const shown = partsOf(at, timeZone);
  return Number(shown('hour')) * 60 + Number(shown('minute'));
}

/** The local calendar day, such as 2026-11-18, in the machine's own time zone if none is given. */
export function localDay(at: Instant, timeZone?: string): string {
  const shown = partsOf(at, timeZone);
  return `${shown('year')}-${shown('month')}-${shown('day')}`;
}

function partsOf(
  at: Instant,
  timeZone: string | undefined,
): (type: keyof Intl.DateTimeFormatPartTypesRegistry) => string {
  const parts = formatOf(timeZone).formatToParts(new Date(at));
  return (type) => parts.find((part) => part.type === type)?.value ?? '';
}

function formatOf(timeZone: string | undefined): Intl.DateTimeFormat {
  const key = timeZone ?? '';
  const known = formats.get(key);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-GB', { ...FORMAT, timeZone });
  formats.set(key, made);
  return made;
}
