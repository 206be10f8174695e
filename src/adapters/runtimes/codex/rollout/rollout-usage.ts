import type { Period, UsageInTranscript } from '../../../../app/ports/agent-runtime.ts';
import { sumOfTokens, type TokenCount, tokensFrom, totalOf } from '../../../../domain/usage/usage.ts';
import { followLines, isIn, keyOf } from '../../follow-lines.ts';
import { lineOf } from './line.ts';

interface Total {
  readonly period: Period;
  /** The tokens that the agent used in the period; null as long as the rollout contains no token counts. */
  tokens: TokenCount | null;
  /** The last running total that was read from the conversation; null if no total was read yet. */
  last: TokenCount | null;
}

/**
 * Reads the tokens of a rollout. After each answer, Codex writes the running total of the conversation. A resumed
 * conversation continues the old total, so Baton subtracts the last total from before the agent began. Codex reports no
 * cost.
 */
export function createRolloutUsage(): (path: string, period: Period) => Promise<UsageInTranscript> {
  const follow = followLines<Total>(addLine);
  return async (path, period) => {
    const begin = (): Total => ({ period, tokens: null, last: null });
    const { total, isComplete } = await follow(path, `${keyOf(period)} ${path}`, begin);
    const tokens = total?.tokens ?? null;
    return { usage: tokens === null ? undefined : { tokens, costMicros: null }, isComplete };
  };
}

function addLine(total: Total, row: string): void {
  const line = row.includes('"token_count"') ? lineOf(row) : undefined;
  const after = line?.kind === 'token_count' ? totalIn(line.payload) : null;
  if (line === undefined || after === null) return;
  const { last } = total;
  // If the total is smaller than before, Codex began to count anew, for example after it dropped a part of the
  // conversation.
  const added = last === null || totalOf(after) < totalOf(last) ? after : difference(last, after);
  total.last = after;
  if (isIn(total.period, line.at)) total.tokens = sumOfTokens(total.tokens, added);
}

const difference = (before: TokenCount, after: TokenCount): TokenCount => ({
  input: Math.max(0, after.input - before.input),
  output: Math.max(0, after.output - before.output),
  cacheRead: Math.max(0, after.cacheRead - before.cacheRead),
  cacheWrite: Math.max(0, after.cacheWrite - before.cacheWrite),
});

/**
 * Returns all tokens used so far, as one line of a rollout reports them. Codex counts cached input as a part of its
 * input, and reasoning as output.
 */
function totalIn({ info }: Readonly<Record<string, unknown>>): TokenCount | null {
  const usage = ((info ?? {}) as { total_token_usage?: Readonly<Record<string, unknown>> | null }).total_token_usage;
  const given = tokensFrom({
    input: usage?.input_tokens,
    output: usage?.output_tokens,
    cacheRead: usage?.cached_input_tokens ?? 0,
    cacheWrite: usage?.cache_write_input_tokens ?? 0,
  });
  return given && { ...given, input: Math.max(0, given.input - given.cacheRead - given.cacheWrite) };
}
