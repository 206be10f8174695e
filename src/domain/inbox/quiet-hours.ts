/** Wall-clock times such as 22:00. If `from` is later than `to`, the range spans midnight. */
export interface QuietHours {
  readonly from: string;
  readonly to: string;
}

/**
 * Returns whether this time is in the quiet hours. Local wall-clock times are compared, so daylight saving time needs
 * no special case.
 */
export function isQuietAt(hours: QuietHours | null, minutesOfDay: number): boolean {
  if (hours === null) return false;
  const [from, to] = [minutesIn(hours.from), minutesIn(hours.to)];
  return from < to ? minutesOfDay >= from && minutesOfDay < to : minutesOfDay >= from || minutesOfDay < to;
}

function minutesIn(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}
