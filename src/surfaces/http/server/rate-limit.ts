import type { Refusal } from '../../../domain/refusals.ts';

/**
 * The groups of calls that share a rate limit. Each group has a maximum number of calls per caller and minute, and a
 * name for the refusal.
 */
export const RATE_LIMITS = {
  login: { perMinute: 300, what: 'logins' },
  package: { perMinute: 600, what: 'new packages' },
  message: { perMinute: 600, what: 'messages to agents' },
} as const;

export type RateLimit = keyof typeof RATE_LIMITS;

const MINUTE_MS = 60_000;

/** Limits the calls of each caller, to stop a runaway program. People and busy agents need far fewer calls. */
export function createRateLimits(nowMs: () => number): (limit: RateLimit, caller: string) => Refusal | undefined {
  const counted = new Map<string, { sinceMs: number; count: number }>();
  return (limit, caller) => {
    const now = nowMs();
    for (const [key, { sinceMs }] of counted) if (now - sinceMs >= MINUTE_MS) counted.delete(key);
    const key = `${limit}/${caller}`;
    const minute = counted.get(key) ?? { sinceMs: now, count: 0 };
    minute.count += 1;
    counted.set(key, minute);
    const { perMinute, what } = RATE_LIMITS[limit];
    if (minute.count <= perMinute) return undefined;
    const seconds = Math.ceil((minute.sinceMs + MINUTE_MS - now) / 1000);
    return {
      code: 'too_many_requests',
      sentence: `Baton takes at most ${perMinute} ${what} per minute from one caller. This request was over the limit, so nothing was done`,
      hint: `Try again in ${seconds} s. If this is unexpected, find the program that sends the requests: baton events`,
    };
  };
}
