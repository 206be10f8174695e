/** Tokens of the model, divided into the four kinds that clients count. Each token belongs to only one kind. */
export interface TokenCount {
  /** Input that did not come from the provider's cache. */
  readonly input: number;
  readonly output: number;
  /** Input that came from the provider's cache. */
  readonly cacheRead: number;
  /** Input that was written to the provider's cache. */
  readonly cacheWrite: number;
}

/**
 * The tokens and the cost that a client reports. A null value means that the number is unknown, not that it is zero.
 */
export interface Usage {
  readonly tokens: TokenCount | null;
  /** The cost that the client itself reports, in millionths of a US dollar. */
  readonly costMicros: number | null;
}

/** A report of a running total that only grows, such as the tokens of all answers in one transcript. */
export interface UsageReport extends Usage {
  /** Identifies the counter: the path of a transcript, or `client` for the total in the client's status line. */
  readonly source: string;
  /** The session that the counter belonged to when it was read. */
  readonly session: string | null;
  /**
   * The age of the counter in milliseconds, if the client reports it. If a counter has begun again at zero, its age is
   * smaller than before.
   */
  readonly ageMs?: number;
  /**
   * The time at which the counter began, in milliseconds since 1970, if known. Baton computes this time from the
   * counter's age and from the time at which the report was written. So two reports of one session can differ by the
   * time that the client takes to write a report.
   */
  readonly beganAtMs?: number;
}

/** The longest time in which a client usually writes a report after it has read its counter. */
const WRITE_MS = 10_000;

/** Everything that an agent has used so far, and the last total that each counter reported. */
export interface AgentUsage extends Usage {
  readonly counters: readonly UsageReport[];
}

/**
 * The maximum number of stored counters. Each `/clear` begins a new transcript with a new counter, and old transcripts
 * are not read again. So only the newest counters are kept.
 */
const MAX_COUNTERS = 8;

export interface Counted {
  readonly usage: AgentUsage;
  /** The part of a usage report that Baton has not counted yet. */
  readonly added: Usage;
}

/**
 * Adds a running total to the usage of an agent. Returns undefined if the report contains nothing new. A total is
 * compared with the highest total of the same counter, so a repeated, late or reread report adds nothing.
 *
 * @param inherited the counter of the agent whose conversation this agent resumes. Some clients continue this counter
 *   in the new process, and other clients begin a new counter at zero.
 */
export function countUsage(
  before: AgentUsage | undefined,
  report: UsageReport,
  inherited?: UsageReport,
): Counted | undefined {
  const known = before?.counters ?? [];
  const own = known.find(({ source }) => source === report.source);
  const reference = own ?? inherited;
  // A counter may begin again at zero in a new process or a new session. Within one session of one process a counter
  // never falls, so a lower total is an old report. The first total of a new session may already be higher than the
  // last total of the previous session; then only the age or the start of the counter shows that it began again. The
  // age alone is not enough: the stored age belongs to the last report that added something, so a counter that began
  // again can already be older than the stored age.
  const mayRestart = own === undefined || own.session !== report.session;
  const isYounger = own?.ageMs !== undefined && report.ageMs !== undefined && report.ageMs < own.ageMs;
  const isLater = (report.beganAtMs ?? 0) > (own?.beganAtMs ?? Infinity) + WRITE_MS;
  const isRestarted = reference !== undefined && mayRestart && (isYounger || isLater || fell(reference, report));
  const base = isRestarted ? undefined : reference;
  const added: Usage = {
    tokens: tokensAdded(base?.tokens ?? null, report.tokens),
    costMicros: moneyAdded(base?.costMicros ?? null, report.costMicros),
  };
  const isNew = added.tokens !== null || added.costMicros !== null;
  if (!isNew && own !== undefined && !isRestarted) return undefined;
  const counter: UsageReport = {
    source: report.source,
    session: report.session,
    tokens: highest(base?.tokens ?? null, report.tokens),
    costMicros: higher(base?.costMicros ?? null, report.costMicros),
    ...(report.ageMs === undefined ? {} : { ageMs: report.ageMs }),
    ...(report.beganAtMs === undefined ? {} : { beganAtMs: report.beganAtMs }),
  };
  const others = known.filter(({ source }) => source !== report.source).slice(1 - MAX_COUNTERS);
  return {
    usage: {
      tokens: sumOfTokens(before?.tokens ?? null, added.tokens),
      costMicros: sum(before?.costMicros ?? null, added.costMicros),
      counters: [...others, counter],
    },
    added,
  };
}

const fell = (before: Usage, after: Usage): boolean =>
  (after.costMicros ?? before.costMicros ?? 0) < (before.costMicros ?? 0) ||
  (after.tokens !== null && before.tokens !== null && totalOf(after.tokens) < totalOf(before.tokens));

const KINDS = ['input', 'output', 'cacheRead', 'cacheWrite'] as const;

const eachKind = (value: (kind: keyof TokenCount) => number): TokenCount => ({
  input: value('input'),
  output: value('output'),
  cacheRead: value('cacheRead'),
  cacheWrite: value('cacheWrite'),
});

/**
 * Returns the number of tokens of each kind that the new total has in addition to the old total. Returns null if there
 * are none. If there was no old total, returns the new total, even if it is zero.
 */
function tokensAdded(before: TokenCount | null, after: TokenCount | null): TokenCount | null {
  if (after === null) return null;
  const added = eachKind((kind) => Math.max(0, after[kind] - (before?.[kind] ?? 0)));
  return before !== null && totalOf(added) === 0 ? null : added;
}

function moneyAdded(before: number | null, after: number | null): number | null {
  if (after === null) return null;
  const added = Math.max(0, after - (before ?? 0));
  return added === 0 ? null : added;
}

const highest = (one: TokenCount | null, other: TokenCount | null): TokenCount | null =>
  one === null || other === null ? (one ?? other) : eachKind((kind) => Math.max(one[kind], other[kind]));

const higher = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.max(one, other);

export const sumOfTokens = (one: TokenCount | null, other: TokenCount | null): TokenCount | null =>
  one === null || other === null ? (one ?? other) : eachKind((kind) => one[kind] + other[kind]);

export const sum = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : one + other;

export const totalOf = (tokens: TokenCount): number => KINDS.reduce((total, kind) => total + tokens[kind], 0);

/** The largest number of tokens that one answer or one running total can plausibly have. */
const MAX_TOKENS = 1_000_000_000_000;

/**
 * Returns the tokens that a client reported; null if a number is negative, not whole or impossibly large, because a
 * wrong number would stay in the totals forever.
 */
export function tokensFrom(given: Readonly<Record<keyof TokenCount, unknown>>, most = MAX_TOKENS): TokenCount | null {
  const isPlausible = (value: unknown): value is number =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= most;
  return KINDS.every((kind) => isPlausible(given[kind])) ? eachKind((kind) => Number(given[kind])) : null;
}

const MAX_DOLLARS = 1_000_000;

/** Converts US dollars to millionths; null if the amount is negative, not a number or impossibly large. */
export const microsFrom = (dollars: unknown): number | null =>
  typeof dollars === 'number' && dollars >= 0 && dollars <= MAX_DOLLARS ? Math.round(dollars * 1_000_000) : null;
