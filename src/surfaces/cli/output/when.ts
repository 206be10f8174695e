/** Formats times for people: local time, and how long ago. `--json` prints times in UTC, as the API sends them. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/**
 * Returns how far a time is from now, such as `2 min ago` or `in 3 h`. Rounds a future time to the minute: without
 * rounding, "in 1 h" would become "in 59 min", because some seconds pass before the answer is printed. Returns text
 * that is not a time unchanged.
 */
export function ago(iso: string, now = Date.now()): string {
  const at = Date.parse(iso);
  if (Number.isNaN(at)) return iso;
  const ms = Math.abs(now - at);
  if (ms < 1000) return 'now';
  return at <= now ? `${distance(ms)} ago` : `in ${remaining(ms)}`;
}

function distance(ms: number): string {
  if (ms < MINUTE) return `${Math.floor(ms / 1000)} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`;
  if (ms < 2 * DAY) return `${Math.floor(ms / HOUR)} h`;
  return `${Math.floor(ms / DAY)} days`;
}

/**
 * Returns the remaining time in words, such as `90 s`, `1 h 40 min` or `2 days 12 h`. A time below two minutes is in
 * seconds, because a minute more or less matters for a countdown. A longer time is rounded to the minute; from two days
 * on, the minutes are then left out. No time is rounded up to whole hours or days, because a caller may print "in 2 h
 * at the earliest", which would be wrong for 1 h 40 min.
 */
function remaining(ms: number): string {
  if (Math.round(ms / 1000) < 120) return `${Math.round(ms / 1000)} s`;
  const minutes = Math.round(ms / MINUTE);
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return inUnits([hours, 'h'], [minutes % 60, 'min']);
  return inUnits([Math.floor(hours / 24), 'days'], [hours % 24, 'h']);
}

/** Joins the numbers and their units, such as `1 h 40 min`. Leaves out zeros. */
const inUnits = (...parts: readonly (readonly [count: number, unit: string])[]): string =>
  parts
    .filter(([count]) => count > 0)
    .map((part) => part.join(' '))
    .join(' ');

/** Local date and time in a fixed width, such as `Nov 15 18:05:03`. Text that is not a time is returned unchanged. */
export function stamp(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  return `${MONTHS[at.getMonth()]} ${String(at.getDate()).padStart(2)} ${clock(at)}`;
}

/** Local date and time, and how long ago, such as `2026-11-15 18:05:03 (2 min ago)`. */
export function when(iso: string, now = Date.now()): string {
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? iso : `${day(at)} ${clock(at)} (${ago(iso, now)})`;
}

const two = (number: number): string => String(number).padStart(2, '0');

const day = (at: Date): string => `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;

const clock = (at: Date): string => `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
