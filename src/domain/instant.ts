/** A time as ISO 8601 in UTC with milliseconds. All values have the same length, so text order is time order. */
export type Instant = string & { readonly __brand: 'Instant' };

export const instantFromMs = (ms: number): Instant => new Date(ms).toISOString() as Instant;

export const after = (at: Instant, ms: number): Instant => instantFromMs(Date.parse(at) + ms);

export const msBetween = (earlier: Instant, later: Instant): number => Date.parse(later) - Date.parse(earlier);

/**
 * Returns whether the time `at` is less than `ms` ago. Returns false for a time more than `ms` in the future: such a
 * time was recorded before the clock was set back, and Baton must not wait until the clock reaches it again.
 */
export const isWithin = (ms: number, at: Instant, now: Instant): boolean => Math.abs(msBetween(at, now)) < ms;

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** Returns a time for people in the time zone of this machine, such as "Nov 18 at 18:24". */
export function localTime(at: Instant): string {
  const date = new Date(at);
  const two = (count: number): string => String(count).padStart(2, '0');
  return `${MONTHS[date.getMonth()]} ${date.getDate()} at ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/**
 * Returns a time in UTC for sentences that are stored or sent to another machine, such as "2026-11-18 21:00 UTC",
 * because the reader may be in another time zone. A text that is not a time stays as it is.
 */
export const utcTime = (at: Instant): string => at.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d).*$/, '$1 $2 UTC');

/** Returns a duration for people, such as "40 s", "4 min" or "2 h 5 min". */
export function durationInWords(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes === 0) return `${Math.floor(ms / 1000)} s`;
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
