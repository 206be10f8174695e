/** Returns a quantile of the values. The share 0.5 gives the median. Returns NaN if there are no values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Rounds to three significant digits, because further digits are noise. */
export const short = (value: number): number => Number(value.toPrecision(3));
