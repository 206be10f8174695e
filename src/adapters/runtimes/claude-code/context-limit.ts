import type { ParsedHook, UnboundFact } from '../../../app/ports/agent-runtime.ts';

/** The client keeps this many tokens free for its own answer or summary, regardless of the window size. */
const ANSWER_TOKENS = 20_000;
/**
 * In a context window larger than SMALL_WINDOW, the client compacts as soon as only ANSWER_TOKENS plus this many tokens
 * are free.
 */
const AHEAD_TOKENS = 13_000;
/** In a window of up to this size, the client compacts only when the model reports a full window. */
const SMALL_WINDOW = 200_000;

/**
 * Returns how many tokens the client accepts before it compacts or reports a full context (measured, see
 * docs/decisions/0013). This number is smaller than the window. Baton must suggest a handoff before the client
 * compacts.
 */
export function contextLimit(windowTokens: number, env: NodeJS.ProcessEnv): number {
  const window = Math.min(windowTokens, positive(env.CLAUDE_CODE_AUTO_COMPACT_WINDOW) ?? windowTokens);
  const usable = window - ANSWER_TOKENS;
  const waits = windowTokens <= SMALL_WINDOW || isSet(env.DISABLE_AUTO_COMPACT) || isSet(env.DISABLE_COMPACT);
  if (waits) return usable;
  const percent = positive(env.CLAUDE_AUTOCOMPACT_PCT_OVERRIDE);
  return Math.min(usable - AHEAD_TOKENS, percent === undefined ? usable : (usable * percent) / 100);
}

/**
 * Returns the context use as a percentage of the tokens that the client really accepts. The client's own percentage
 * refers to the whole window.
 */
export const againstLimit = (parsed: ParsedHook, env: NodeJS.ProcessEnv): ParsedHook => ({
  ...parsed,
  facts: parsed.facts.map((fact) => measuredAgainstLimit(fact, env)),
});

function measuredAgainstLimit(fact: UnboundFact, env: NodeJS.ProcessEnv): UnboundFact {
  if (fact.type !== 'context_measured' || fact.usedTokens === null || fact.windowTokens === null) return fact;
  const limit = contextLimit(fact.windowTokens, env);
  if (limit <= 0) return fact;
  return { ...fact, usedPercent: Math.min(100, Math.round((100 * fact.usedTokens) / limit)) };
}

const isSet = (value: string | undefined): boolean => /^(?:1|true|yes|on)$/i.test(value ?? '');

function positive(value: string | undefined): number | undefined {
  const number = Number.parseFloat(value ?? '');
  return number > 0 ? number : undefined;
}
