import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Period, UsageInTranscript } from '../../app/ports/agent-runtime.ts';
import { microsFrom, sum, sumOfTokens, type TokenCount, tokensFrom, type Usage } from '../../domain/usage/usage.ts';
import { followLines, isIn, keyOf } from './follow-lines.ts';

/** The usage of one answer of the model. */
interface Answer extends Usage {
  readonly id: string;
  readonly tokens: TokenCount;
}

interface Total {
  readonly period: Period;
  tokens: TokenCount | null;
  costMicros: number | null;
  /** The latest answers. A client writes one line for each part of an answer, and each line repeats the counts. */
  readonly answers: Map<string, Answer>;
}

/**
 * The number of answers to remember. Lines of the same answer are near each other, so older answers can be forgotten.
 */
const MAX_ANSWERS = 500;
/** The maximum number of tokens in an answer. A larger number is an error of the client or of the file. */
const MAX_TOKENS_OF_ANSWER = 100_000_000;

/**
 * Reads the tokens of a transcript in the format of transcript.ts. The counts are in `assistant` lines or, from the
 * host of opencode, in `usage` lines. The tokens of subagents, which may have files of their own, count as tokens of
 * the agent.
 */
export function createTranscriptUsage(
  bytesAtOnce?: number,
): (path: string, period: Period) => Promise<UsageInTranscript> {
  const follow = followLines<Total>(addLine, bytesAtOnce);
  return async (path, period) => {
    const begin = (): Total => ({ period, tokens: null, costMicros: null, answers: new Map() });
    const paths = [path, ...(await subagentTranscripts(path))];
    const read = await Promise.all(paths.map((each) => follow(each, `${keyOf(period)} ${each}`, begin)));
    const totals = read.map(({ total }) => total);
    const tokens = totals.reduce<TokenCount | null>((all, each) => sumOfTokens(all, each?.tokens ?? null), null);
    const costMicros = totals.reduce<number | null>((all, each) => sum(all, each?.costMicros ?? null), null);
    return {
      usage: tokens === null ? undefined : { tokens, costMicros },
      isComplete: read.every(({ isComplete }) => isComplete),
    };
  };
}

async function subagentTranscripts(path: string): Promise<readonly string[]> {
  const folder = join(dirname(path), basename(path, '.jsonl'), 'subagents');
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => /^[\w-]{1,200}\.jsonl$/.test(name)).map((name) => join(folder, name));
}

function addLine(total: Total, line: string): void {
  const answer = line.includes('"usage"') ? answerIn(line, total.period) : undefined;
  if (answer === undefined) return;
  const before = total.answers.get(answer.id);
  // A later line of the same answer may have a larger count, because clients write the first lines before the answer is
  // complete.
  total.tokens = sumOfTokens(total.tokens, growth(before?.tokens, answer.tokens));
  total.costMicros = sum(total.costMicros, moneyGrowth(before?.costMicros ?? null, answer.costMicros));
  total.answers.delete(answer.id);
  total.answers.set(
    answer.id,
    before === undefined ? answer : { ...answer, tokens: larger(before.tokens, answer.tokens) },
  );
  const [oldest] = total.answers.keys();
  if (total.answers.size > MAX_ANSWERS && oldest !== undefined) total.answers.delete(oldest);
}

const kinds = (value: (kind: keyof TokenCount) => number): TokenCount => ({
  input: value('input'),
  output: value('output'),
  cacheRead: value('cacheRead'),
  cacheWrite: value('cacheWrite'),
});

const growth = (before: TokenCount | undefined, after: TokenCount): TokenCount =>
  kinds((kind) => Math.max(0, after[kind] - (before?.[kind] ?? 0)));

const larger = (one: TokenCount, other: TokenCount): TokenCount => kinds((kind) => Math.max(one[kind], other[kind]));

const moneyGrowth = (before: number | null, after: number | null): number | null =>
  after === null ? null : Math.max(0, after - (before ?? 0));

interface Entry {
  readonly type?: unknown;
  readonly uuid?: unknown;
  readonly timestamp?: unknown;
  /** Set on a line that Claude Code copied from a conversation when the operator branched that conversation. */
  readonly forkedFrom?: unknown;
  readonly message?: {
    readonly id?: unknown;
    readonly cost_usd?: unknown;
    readonly usage?: Readonly<Record<string, unknown>> | null;
  } | null;
}

/**
 * Returns the usage in a line; undefined if the line has no usage, is from outside the period, is a copy from another
 * transcript, or has implausible counts.
 */
function answerIn(line: string, period: Period): Answer | undefined {
  try {
    const { type, uuid, timestamp, forkedFrom, message } = JSON.parse(line) as Entry;
    if ((type !== 'assistant' && type !== 'usage') || !isIn(period, String(timestamp))) return undefined;
    // Skip a copied answer, because the transcript of the original conversation contains it too.
    if (forkedFrom !== undefined) return undefined;
    const { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens } = message?.usage ?? {};
    // A line without a number of output tokens reports only the context use, so it does not count as usage.
    const tokens = tokensFrom(
      {
        input: input_tokens,
        output: output_tokens,
        cacheRead: cache_read_input_tokens ?? 0,
        cacheWrite: cache_creation_input_tokens ?? 0,
      },
      MAX_TOKENS_OF_ANSWER,
    );
    const id = message?.id ?? uuid;
    const cost = microsFrom(message?.cost_usd);
    // A client that does not know the price of a model reports a cost of zero, so zero means that the cost is unknown.
    return tokens === null || typeof id !== 'string' ? undefined : { id, tokens, costMicros: cost === 0 ? null : cost };
  } catch {
    // Ignore a line that is not JSON. If a line is very long, this function gets only the end of the line.
    return undefined;
  }
}
