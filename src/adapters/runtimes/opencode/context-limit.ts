import type { Config, Tokens } from './wire.ts';

/** opencode asks the model for answers of at most this many tokens, unless the operator has set another limit. */
const MAX_OUTPUT_TOKENS = 32_000;
const COMPACTION_BUFFER = 20_000;

export interface ModelLimit {
  readonly context: number;
  readonly input?: number | undefined;
  readonly output?: number | undefined;
}

/**
 * Returns the number of tokens at which opencode compacts the conversation (measured with 1.18.33): the context window
 * minus the room for an answer or, if the model has its own input limit, that limit minus a reserve. Without automatic
 * compaction, returns the size of the whole window. Returns undefined if the model has no known limit.
 */
export function compactionPoint(limit: ModelLimit | undefined, { compaction }: Config): number | undefined {
  if (limit === undefined || limit.context <= 0) return undefined;
  if (compaction?.auto === false) return limit.context;
  const answer = Math.min(limit.output || MAX_OUTPUT_TOKENS, MAX_OUTPUT_TOKENS);
  const point = limit.input
    ? limit.input - (compaction?.reserved ?? Math.min(COMPACTION_BUFFER, answer))
    : limit.context - answer;
  return point > 0 ? point : limit.context;
}

export const tokensIn = ({ total, input, output, cache }: Tokens): number =>
  total || input + output + cache.read + cache.write;
