import { CliFault, EXIT } from '../cli-fault.ts';

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * Parses a time in the future: a duration from now, a date, or a time of day. A time of day means its next occurrence
 * in local time. Returns undefined for any other text.
 */
export const timeAhead = (text: string, now: Date): Date | undefined => givenTime(text, now, 1);

/**
 * Parses a time in the past: a duration before now, a date, or the last occurrence of a time of day. Returns undefined
 * for any other text.
 */
export const timeAgo = (text: string, now: Date): Date | undefined => givenTime(text, now, -1);

/** Parses the time in an option, as `timeAgo` does. Throws CliFault if the text is not a time. */
export function pastTime(text: string): Date {
  const at = timeAgo(text, new Date());
  if (at !== undefined) return at;
  const sentence = `Invalid time "${text}". Use 30m, 2h, 7d, 18:00, 2026-11-15 or 2026-11-15T18:00.`;
  throw new CliFault(sentence, { code: 'usage', exitCode: EXIT.usage });
}

/**
 * Returns the period that the operator gave with --since and --until, in the form that the API accepts. Throws CliFault
 * if the period would be empty. The error quotes the operator's words, because the server knows the times only in UTC.
 */
export function period(since: string | undefined, until: string | undefined): { since?: string; until?: string } {
  const from = since === undefined ? undefined : pastTime(since);
  const to = until === undefined ? undefined : lastMoment(until);
  if (from !== undefined && from > (to ?? new Date()))
    throw new CliFault(
      to === undefined ? `--since ${since} is in the future.` : `--since ${since} is later than --until ${until}.`,
      { code: 'usage', exitCode: EXIT.usage },
    );
  return {
    ...(from === undefined ? {} : { since: from.toISOString() }),
    ...(to === undefined ? {} : { until: to.toISOString() }),
  };
}

/** The end of the period. A date without a time of day includes the whole day, as on the page. */
function lastMoment(text: string): Date {
  const at = pastTime(text);
  if (/^\d{4}-\d\d-\d\d$/.test(text)) at.setHours(23, 59, 59, 999);
  return at;
}

function givenTime(text: string, now: Date, direction: 1 | -1): Date | undefined {
  const [, count, unit = ''] = /^(\d{1,4})([mhd])$/.exec(text) ?? [];
  if (count !== undefined) return new Date(now.getTime() + direction * Number(count) * (UNITS[unit] ?? 0));
  const [, hours, minutes] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  if (hours !== undefined) return occurrence(Number(hours), Number(minutes), now, direction);
  // JavaScript reads a date without a time as UTC, but the operator means local time.
  const full = /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00` : text;
  const at = /^\d{4}-\d\d-\d\d/.test(full) ? new Date(full) : undefined;
  return at === undefined || Number.isNaN(at.getTime()) ? undefined : at;
}

function occurrence(hours: number, minutes: number, now: Date, direction: 1 | -1): Date {
  const at = new Date(now);
  at.setHours(hours, minutes, 0, 0);
  const isThere = direction === 1 ? at > now : at <= now;
  if (!isThere) at.setDate(at.getDate() + direction);
  return at;
}
