/**
 * @param {readonly number[]} values
 * @param {number} share such as 0.95
 */
export function percentile(values, share) {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** @param {readonly number[]} values */
export const median = (values) => percentile(values, 0.5);

/** @param {number} value */
export const rounded = (value) => Math.round(value * 100) / 100;
