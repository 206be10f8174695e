import { withPage } from '../client/list-page.ts';
import { define, type Kit, personaName } from '../command-kit.ts';
import type { SearchRequest } from './search.ts';

export function addSearchCommand({ program, run }: Kit): void {
  withPage(
    define(program, 'search', {
      summary: 'search handoff documents, decisions, packages, prompts, answers and lessons, newest first',
      example: 'baton search "retry budget" --since 7d --kind decision',
    }).argument('<words...>', 'all of these words must occur; "several words" for a phrase, begin* for a beginning'),
    100,
  )
    .option('--persona <persona>', 'only texts of this persona', personaName)
    .option('--project <project>', 'only texts of this project: its folder or id')
    .option('--since <time>', 'only texts since then: 30m, 2h, 18:00, 2026-11-15 or 2026-11-15T18:00')
    .option('--until <time>', 'only texts until then')
    .option('--kind <kind>', 'document, decision, package, prompt, answer or lesson')
    .action((words: string[], wanted: SearchRequest) =>
      run(async (cli) => (await import('./search.ts')).showHits(cli, words, wanted)),
    );
}
