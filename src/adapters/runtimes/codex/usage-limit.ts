import type { Instant } from '../../../domain/instant.ts';
import type { UsageLimit } from '../../../domain/limits/usage-limit.ts';

/**
 * Only the text of Codex's message says when a usage limit ends, in local time and without seconds: `try again at 3:20
 * AM` on the same day, otherwise `try again at Nov 20th, 2026 3:20 AM` (measured with 0.166.0).
 */
const END = /\btry again at (?:(\w{3}) (\d{1,2})(?:st|nd|rd|th), (\d{4}) )?(\d{1,2}):(\d{2}) ([AP])M\b/;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** @param at when Codex reported the limit */
export function usageLimitIn(words: string, at: string): UsageLimit {
  return { words, until: endIn(words, new Date(at)), continuesItself: false };
}

function endIn(words: string, reported: Date): Instant | null {
  const [, month, day, year, hour, minute, half] = END.exec(words) ?? [];
  if (hour === undefined || minute === undefined || Number.isNaN(reported.getTime())) return null;
  const hours = (Number(hour) % 12) + (half === 'P' ? 12 : 0);
  const end =
    month === undefined
      ? new Date(reported.getFullYear(), reported.getMonth(), reported.getDate(), hours, Number(minute))
      : new Date(Number(year), MONTHS.indexOf(month), Number(day), hours, Number(minute));
  // The message contains no seconds, so the real end of the limit is up to one minute later than the time in the
  // message.
  return new Date(end.getTime() + 60_000).toISOString() as Instant;
}
