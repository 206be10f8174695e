import { z } from 'zod';
import { SEARCH_KINDS } from '../../domain/search/search-entry.ts';

export const SearchHit = z.object({
  id: z.int().describe('The number of the text that was found. Newer texts have larger numbers.'),
  kind: z
    .enum(SEARCH_KINDS)
    .describe(
      '`document`: a handoff document. `decision`: a decision of a person or an agent. `package`: a package. `prompt`: text that a person sent to an agent. `answer`: an answer to a question of an agent, or an answer in a package. `lesson`: what every later agent of a persona should know.',
    ),
  at: z.string(),
  title: z.string().describe('The title of the text, which also says to which agent or package the text belongs.'),
  excerpt: z
    .array(z.object({ text: z.string(), hit: z.boolean() }))
    .describe(
      'The part of the text that matches the query, split into pieces. In a piece that is a word of the query, `hit` is true.',
    ),
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
  next: z
    .int()
    .nullable()
    .describe('The value of `?before=` that returns older hits; null if there are no older hits.'),
  indexed_percent: z
    .int()
    .describe(
      'How much of the history the search can find, in percent. The value is less than 100 only for some time after an update of Baton.',
    ),
});
export type SearchResult = z.infer<typeof SearchResult>;
