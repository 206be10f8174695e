/** A time as ISO 8601 in UTC with milliseconds. All values have the same length, so text order is time order. */
export type Instant = string & { readonly __brand: 'Instant' };

export const instantFromMs = (ms: number): Instant => new Date(ms).toISOString() as Instant;

export const after = (at: Instant, ms: number): Instant => instantFromMs(Date.parse(at) + ms);

export const msBetween = (earlier: Instant, later: Instant): number => Date.parse(later) - Date.parse(earlier);
