/** Wall-clock times such as 22:00; from later than to means over midnight. */
export interface QuietHours {
  readonly from: string;
  readonly to: string;
}

/** By what the clock on the operator's wall shows: an hour that is skipped or doubled in spring or autumn needs no rule. */
export function isQuietAt(hours: QuietHours | null, minutesOfDay: number): boolean {
  if (hours === null) return false;
  const [from, to] = [minutesIn(hours.from), minutesIn(hours.to)];
  return from < to ? minutesOfDay >= from && minutesOfDay < to : minutesOfDay >= from || minutesOfDay < to;
}

function minutesIn(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}
