import { type Instant, msBetween } from '../instant.ts';

/** A browser that is logged in. Only the hash of its token is stored. */
export interface PageSession {
  readonly tokenHash: string;
  /** The name that the browser gave itself at the login, such as "Safari on iPhone"; empty if the browser gave none. */
  readonly name: string;
  readonly createdOn: Day;
  /** The day of the last use. The time of day is omitted, so that not every request causes a write. */
  readonly usedOn: Day;
}

/** A UTC date such as 2026-11-15. */
export type Day = string;

export const MAX_PAGE_SESSIONS = 200;
const DAYS_UNUSED = 30;
const DAY_MS = 86_400_000;

/**
 * The id of a login, used everywhere except in the store: the beginning of the token's hash. The id does not reveal the
 * token.
 */
export const sessionIdOf = ({ tokenHash }: Pick<PageSession, 'tokenHash'>): string => tokenHash.slice(0, 12);

export const dayOf = (now: Instant): Day => now.slice(0, 10);

export const isExpired = ({ usedOn }: PageSession, today: Day): boolean =>
  msBetween(midnight(usedOn), midnight(today)) > DAYS_UNUSED * DAY_MS;

const midnight = (day: Day): Instant => `${day}T00:00:00.000Z` as Instant;
