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
 * Reads the tokens of a rollout. After each answer, Codex writes the running total of the conversation, and continues
 * this total when the conversation is resumed or forked. So the agent's own tokens are the new total minus the last
 * total before the agent began. A fork has a new rollout, whose first total includes the conversation before the fork.
 * A subagent has its own rollout, which is not read. Codex reports no cost.
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
  const after = line?.kind === 'token_count' ? tokensIn(line.payload, 'total_token_usage') : null;
  if (line === undefined || after === null) return;
  const { last } = total;
  const added = last === null ? firstIn(line.payload, after) : addedSince(last, after);
  total.last = after;
  if (isIn(total.period, line.at)) total.tokens = sumOfTokens(total.tokens, added);
}

/**
 * Returns the tokens of the first answer in a rollout. In the rollout of a fork, the first total is larger than the
 * tokens of this answer.
 */
function firstIn(payload: Readonly<Record<string, unknown>>, total: TokenCount): TokenCount {
  const answer = tokensIn(payload, 'last_token_usage');
  return answer !== null && totalOf(answer) < totalOf(total) ? answer : total;
}

/**
 * Returns how many tokens the total has grown. If the total is smaller than before, Codex began to count anew, for
 * example after it dropped a part of the conversation.
 */
const addedSince = (before: TokenCount, after: TokenCount): TokenCount =>
  totalOf(after) < totalOf(before) ? after : difference(before, after);

const difference = (before: TokenCount, after: TokenCount): TokenCount => ({
  input: Math.max(0, after.input - before.input),
  output: Math.max(0, after.output - before.output),
  cacheRead: Math.max(0, after.cacheRead - before.cacheRead),
  cacheWrite: Math.max(0, after.cacheWrite - before.cacheWrite),
});

/**
 * Reads token counts from one line of a rollout: all tokens used so far, or the tokens of the last answer. Codex counts
 * cached input as a part of its input, and reasoning as output.
 */
function tokensIn(
  { info }: Readonly<Record<string, unknown>>,
  name: 'total_token_usage' | 'last_token_usage',
): TokenCount | null {
  const usage = ((info ?? {}) as Readonly<Record<string, Readonly<Record<string, unknown>> | null>>)[name];
  const given = tokensFrom({
    input: usage?.input_tokens,
    output: usage?.output_tokens,
    cacheRead: usage?.cached_input_tokens ?? 0,
    cacheWrite: usage?.cache_write_input_tokens ?? 0,
  });
  return given && { ...given, input: Math.max(0, given.input - given.cacheRead - given.cacheWrite) };
}
