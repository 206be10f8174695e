import { resolve } from 'node:path';
import { type SearchHit, SearchResult } from '../../../contract/history/search.ts';
import { PATHS } from '../../../contract/routes.ts';
import type { Cli } from '../cli.ts';
import { CliFault, EXIT } from '../cli-fault.ts';
import { type ListPage, olderLine, pagePath } from '../client/list-page.ts';
import { operatorClient } from '../client/operator-client.ts';
import { period } from '../inbox/given-time.ts';
import { showAnswer } from '../messages/show-answer.ts';
import { ink, type Part } from '../output/ink.ts';
import { ago } from '../output/when.ts';

export interface SearchRequest extends ListPage {
  readonly persona?: string;
  readonly project?: string;
  readonly since?: string;
  readonly until?: string;
  readonly kind?: string;
}

export async function showHits(cli: Cli, words: readonly string[], wanted: SearchRequest): Promise<number> {
  // Refuse empty values. Otherwise a script with `--project "$UNSET"` would silently search in all projects.
  if (wanted.project === '') throw usage("Use a project's folder or id; see: baton project list");
  if (wanted.kind === '') throw usage('Use --kind with one of document, decision, package, prompt, answer or lesson.');
  const api = operatorClient(cli.deps);
  const query = new URLSearchParams({ q: words.map(asPhrase).join(' ') });
  const { persona, project, since, until, kind } = wanted;
  if (persona !== undefined) query.set('persona', persona);
  if (project !== undefined) query.set('project', /^[./~]/.test(project) ? resolve(project) : project);
  for (const [name, time] of Object.entries(period(since, until))) query.set(name, time);
  if (kind !== undefined) query.set('kind', kind);
  const answer = await api.get(pagePath(`${PATHS.search}?${query}`, wanted), SearchResult);
  return showAnswer(cli, answer, (found) => [
    ...(found.hits.length === 0
      ? [['Found nothing. Try fewer words, or end a word with * to find longer forms.']]
      : found.hits.flatMap(hitLines)),
    ...olderLine(found.next),
    ...(found.indexed_percent === 100
      ? []
      : [[ink('yellow', `Only ${found.indexed_percent} % of the history can be found yet. Search again later.`)]]),
  ]);
}

const usage = (sentence: string): CliFault => new CliFault(sentence, { code: 'usage', exitCode: EXIT.usage });

/**
 * Puts an argument with a space into quotation marks, because the shell has removed the quotation marks of a phrase.
 */
const asPhrase = (word: string): string => (/\s/.test(word) && !word.includes('"') ? `"${word}"` : word);

function hitLines({ title, kind, at, excerpt, run_id, package_id, agent_id, line }: SearchHit): Part[][] {
  const place =
    package_id !== null
      ? `baton package show ${package_id}`
      : run_id !== null
        ? `baton handoff show ${run_id}${line === null ? '' : ` --document   (line ${line})`}`
        : agent_id === null
          ? ''
          : `baton agent show ${agent_id}`;
  return [
    [ink('cyan', kind), `  ${title}`, ink('dim', `  ${ago(at)}`)],
    ['    ', ...excerpt.map(({ text, hit }): Part => (hit ? ink('bold', text) : text))],
    ...(place === '' ? [] : [[ink('dim', `    ${place}`)]]),
  ];
}
