import { type Instant, msBetween } from '../instant.ts';

/** A page that is logged in. Its token is not known here, only what it hashes to. */
export interface PageSession {
  readonly tokenHash: string;
  readonly createdOn: Day;
  /** To the day: it is not worth a write at each request. */
  readonly usedOn: Day;
}

/** Such as 2026-11-15, in UTC. */
export type Day = string;

export const MAX_PAGE_SESSIONS = 200;
const DAYS_UNUSED = 30;
const DAY_MS = 86_400_000;

export const dayOf = (now: Instant): Day => now.slice(0, 10);

export const isExpired = ({ usedOn }: PageSession, today: Day): boolean =>
  msBetween(midnight(usedOn), midnight(today)) > DAYS_UNUSED * DAY_MS;

const midnight = (day: Day): Instant => `${day}T00:00:00.000Z` as Instant;
