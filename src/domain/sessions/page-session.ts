import { type Instant, msBetween } from '../instant.ts';

/** A page that is logged in. Only the hash of its token is stored. */
export interface PageSession {
  readonly tokenHash: string;
  readonly createdOn: Day;
  /** The day of the last use. It contains no time, so that not every request causes a write. */
  readonly usedOn: Day;
}

/** A UTC date such as 2026-11-15. */
export type Day = string;

export const MAX_PAGE_SESSIONS = 200;
const DAYS_UNUSED = 30;
const DAY_MS = 86_400_000;

export const dayOf = (now: Instant): Day => now.slice(0, 10);

export const isExpired = ({ usedOn }: PageSession, today: Day): boolean =>
  msBetween(midnight(usedOn), midnight(today)) > DAYS_UNUSED * DAY_MS;

const midnight = (day: Day): Instant => `${day}T00:00:00.000Z` as Instant;
