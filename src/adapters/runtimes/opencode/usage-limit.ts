import { instantFromMs } from '../../../domain/instant.ts';
import type { UsageLimit } from '../../../domain/limits/usage-limit.ts';
import type { SessionStatus } from './wire.ts';

/** Words with which providers say that a plan, a quota or a balance is used up (measured with a stub, 1.18.33). */
const WORDS =
  /usage limit|insufficient_quota|current quota|quota exceeded|free usage exceeded|credit balance|out of credits/i;
const MAX_WORDS = 500;

/**
 * Returns the usage limit that makes opencode repeat a request; undefined if the request failed for another reason.
 * opencode reports the time of its next attempt, but not when the limit ends.
 */
export function limitInRetry({ message = '', next, action }: SessionStatus): UsageLimit | undefined {
  if (action?.reason === undefined && !WORDS.test(message)) return undefined;
  const retriesAt = next === undefined ? {} : { retriesAt: instantFromMs(next) };
  return { words: message.slice(0, MAX_WORDS), until: null, ...retriesAt, continuesItself: true };
}

/** Returns the usage limit that made a turn fail; undefined if the turn failed for another reason. */
export const limitInFailure = (message: string): UsageLimit | undefined =>
  WORDS.test(message) ? { words: message.slice(0, MAX_WORDS), until: null, continuesItself: false } : undefined;
