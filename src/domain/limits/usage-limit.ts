import { type Instant, localTime, msBetween } from '../instant.ts';

/** A usage limit of the agent's model or plan. Every turn of the agent fails until the limit ends. */
export interface UsageLimit {
  /** The client's own words, such as "You've hit your 5-hour limit · resets 2:24am (UTC)". */
  readonly words: string;
  /** The time at which the limit ends. Null if the client does not name a time. */
  readonly until: Instant | null;
  /**
   * The time at which the client sends the refused request again. Absent if the client does not repeat requests. The
   * limit may last longer than this time: the model may refuse the request again.
   */
  readonly retriesAt?: Instant | undefined;
  /** True if the client continues by itself when the limit ends. Baton then must not send a prompt. */
  readonly continuesItself: boolean;
}

/** The usage limit that an agent is under. */
export interface AgentLimit extends UsageLimit {
  readonly since: Instant;
  /** True if the operator wants Baton to send a prompt once the limit has ended. */
  readonly isAwaited: boolean;
}

/**
 * Returns the command with which another client continues the work of an agent under a usage limit. Without
 * `--runtime`, the successor would normally run on the same client and be under the same limit.
 */
export const continueElsewhere = (id: number): string => `baton handoff ${id} --emergency --runtime TYPE`;

/** Returns what the operator can do while an agent cannot write a handoff document because of its usage limit. */
export function insteadOfHandoff(id: number, limit: UsageLimit | null): string {
  const elsewhere = `Continue with another client, from what Baton knows: ${continueElsewhere(id)}`;
  if (limit?.retriesAt !== undefined)
    return `${elsewhere}. Or wait: the agent's client repeats the refused request by itself`;
  return limit === null || limit.until === null
    ? `${elsewhere}. Or, once you know that the limit is over, send the agent a prompt: baton agent send ${id} "Continue."`
    : `${elsewhere}. Or wait until the limit is over`;
}

/**
 * How long Baton waits, after the end of a limit, for a client that continues by itself. In a test, such a client
 * continued after 90 seconds.
 */
const CONTINUES_WITHIN_MS = 10 * 60_000;

/**
 * True if the limit counts as ended: the time that the client names for the end of the limit has come. Without such a
 * time, the limit counts as ended when the client repeats the refused request. For a client that continues by itself,
 * Baton waits some minutes longer.
 */
export function isPast({ until, retriesAt, continuesItself }: UsageLimit, now: Instant): boolean {
  const end = until ?? retriesAt ?? null;
  if (end === null || now < end) return false;
  return !continuesItself || msBetween(end, now) >= CONTINUES_WITHIN_MS;
}

/**
 * Returns what Baton knows about the end of a usage limit, as a sentence for people; undefined if Baton knows nothing.
 */
export function limitEndInWords({ until, retriesAt }: UsageLimit): string | undefined {
  if (until !== null) return `The limit ends on ${localTime(until)}.`;
  if (retriesAt === undefined) return undefined;
  return `The agent's client tries again on ${localTime(retriesAt)} and does not say when the limit ends.`;
}
