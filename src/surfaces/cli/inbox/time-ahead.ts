const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses a duration, date or time of day, which means its next occurrence in local time; otherwise undefined. */
export function timeAhead(text: string, now: Date): Date | undefined {
  const [, count, unit = ''] = /^(\d{1,4})([mhd])$/.exec(text) ?? [];
  if (count !== undefined) return new Date(now.getTime() + Number(count) * (UNITS[unit] ?? 0));
  const [, hours, minutes] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  if (hours !== undefined) return nextAt(Number(hours), Number(minutes), now);
  const at = /^\d{4}-\d\d-\d\d/.test(text) ? new Date(text) : undefined;
  return at === undefined || Number.isNaN(at.getTime()) ? undefined : at;
}

function nextAt(hours: number, minutes: number, now: Date): Date {
  const at = new Date(now);
  at.setHours(hours, minutes, 0, 0);
  if (at <= now) at.setDate(at.getDate() + 1);
  return at;
}
