import { z } from 'zod';
import { SEARCH_KINDS } from '../../domain/search/search-entry.ts';

export const SearchHit = z.object({
  id: z.int().describe('Newer texts have larger numbers.'),
  kind: z
    .enum(SEARCH_KINDS)
    .describe(
      '`document`: a handoff document. `decision`: a decision of a person or an agent. `prompt`: text that a person sent to an agent. `answer`: an answer to a question. `lesson`: what every later agent of a persona should know.',
    ),
  at: z.string(),
  title: z.string().describe('Names the text and the agent or package that it belongs to.'),
  excerpt: z
    .array(z.object({ text: z.string(), hit: z.boolean() }))
    .describe('The place that matches, in pieces; `hit` marks the words of the query.'),
  agent_id: z.int().nullable(),
  run_id: z.int().nullable(),
  package_id: z.string().nullable(),
  line: z.int().nullable().describe('The line in the handoff document; null if the text is in no document.'),
  personas: z.array(z.object({ slug: z.string(), name: z.string() })),
  project: z.object({ id: z.int(), name: z.string() }).nullable(),
  page: z.string().describe('The address of the place in the page, such as #/runs/3?line=12.'),
});
export type SearchHit = z.infer<typeof SearchHit>;

export const SearchResult = z.object({
  hits: z.array(SearchHit),
  next: z.int().nullable().describe('The value of ?before= for older hits; null if there are none.'),
  indexed_percent: z
    .int()
    .describe('How much of the history can be found. Less than 100 only for some time after an update.'),
});
export type SearchResult = z.infer<typeof SearchResult>;
