import { z } from 'zod';
import { USAGE_GROUPS } from '../../domain/usage/usage-day.ts';

export type { UsageGroup } from '../../domain/usage/usage-day.ts';

export const Tokens = z.object({
  input: z.int().describe('Input that the model read anew.'),
  output: z.int(),
  cache_read: z.int().describe("Input that came from the provider's cache."),
  cache_write: z.int().describe("Input that was written to the provider's cache."),
  total: z.int().describe('The sum of the four counts.'),
});
export type Tokens = z.infer<typeof Tokens>;

const counts = {
  tokens: Tokens.nullable().describe(
    'The tokens, as far as the clients reported them; null if no client reported any. Null means unknown, not zero.',
  ),
  cost_usd: z
    .number()
    .nullable()
    .describe('The cost in US dollars, as far as the clients reported a cost; null if no client did.'),
};

export const AgentUsage = z.object(counts);

const Sum = z.object({
  ...counts,
  agents: z.int().describe('How many agents took a turn or reported usage.'),
  cost_from: z.array(z.string()).describe('The runtimes whose clients reported a cost.'),
  not_reported: z
    .array(z.object({ runtime: z.string(), agents: z.int() }))
    .describe(
      'For each runtime, how many agents have clients that reported no tokens. The tokens of these agents are missing from the counts.',
    ),
});

export const UsageRow = Sum.extend({
  key: z
    .string()
    .describe(
      'Depending on `by`: the day, the slug of the persona (empty for agents without a persona), or the id of the project or the agent.',
    ),
  title: z.string(),
});
export type UsageRow = z.infer<typeof UsageRow>;

export const UsageView = z.object({
  by: z.enum(USAGE_GROUPS),
  since: z.string().describe('The first local day of the period, such as 2026-11-12.'),
  until: z.string().describe('The last local day of the period.'),
  rows: z
    .array(UsageRow)
    .describe('If `by` is `day`, the newest day is first. Otherwise the row with the most tokens is first.'),
  total: Sum,
  today: z.object({
    day: z.string(),
    tokens: z.int().describe('The tokens of all agents on this day, as far as they are known.'),
    budget: z.int().nullable().describe('The setting `token_budget`; null if there is none.'),
  }),
});
export type UsageView = z.infer<typeof UsageView>;
