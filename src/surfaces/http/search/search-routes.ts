import { personaNamed } from '../../../app/personas/find-by-name.ts';
import { instantIn, searchTexts } from '../../../app/search/search-texts.ts';
import { SearchResult } from '../../../contract/history/search.ts';
import { PATHS } from '../../../contract/routes.ts';
import { isRefusal, type Refusal } from '../../../domain/refusals.ts';
import { SEARCH_KINDS, type SearchFilter } from '../../../domain/search/search-entry.ts';
import { pageIn } from '../server/page-in.ts';
import { type HttpDeps, OPERATOR, type Route, route } from '../server/route.ts';
import { viewHits } from './search-views.ts';

const USUAL_HITS = 20;
const MAX_HITS = 100;

export const SEARCH_ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: PATHS.search,
    summary:
      'Search handoff documents, decisions, packages, prompts, answers and lessons, newest first: ?q=WORDS (a hit contains all words; "a phrase" and begin* are allowed), ?persona=SLUG, ?project= an id, name or folder, ?kind=, ?since=TIME, ?until=TIME, ?limit= (20 unless given, at most 100), ?before=ID for older hits',
    answer: SearchResult,
    status: 200,
    callers: OPERATOR,
    handle: async ({ deps, query }) => {
      const filter = filterIn(deps, query);
      if (isRefusal(filter)) return filter;
      const found = await searchTexts(deps.ports, query.get('q') ?? '', filter);
      if (isRefusal(found)) return found;
      return {
        hits: deps.ports.store.read((tx) => viewHits(tx, found.hits)),
        next: found.next,
        indexed_percent: found.indexedPercent,
      };
    },
  }),
];

function filterIn({ ports }: HttpDeps, query: URLSearchParams): SearchFilter | Refusal {
  const given = (name: string): string | undefined => query.get(name) || undefined;
  const { limit, before } = pageIn(query, USUAL_HITS);
  if (given('limit') !== undefined && !/^[1-9]\d*$/.test(given('limit') ?? ''))
    return { code: 'bad_request', sentence: `limit "${given('limit')}" is not a whole number from 1 to ${MAX_HITS}` };
  const wanted = given('persona');
  const persona = wanted === undefined ? undefined : ports.store.read((tx) => personaNamed(tx, wanted));
  if (isRefusal(persona)) return persona;
  const project = given('project');
  const projects = project === undefined ? [] : ports.store.read((tx) => tx.projects());
  const exact = projects.find(({ id, path }) => [String(id), path].includes(project ?? ''));
  const [found, ...others] = exact === undefined ? projects.filter(({ name }) => name === project) : [exact];
  if (found !== undefined && others.length > 0)
    return {
      code: 'name_ambiguous',
      sentence: `Several projects are named "${project}": ${[found, ...others].map(({ id, path }) => `${id} in ${path}`).join(', ')}`,
      hint: 'Name the project by its number or its folder',
    };
  if (project !== undefined && found === undefined)
    return { code: 'project_not_found', sentence: `Project "${project}" not found` };
  const kind = SEARCH_KINDS.find((each) => each === given('kind'));
  if (given('kind') !== undefined && kind === undefined)
    return { code: 'bad_request', sentence: `Unknown kind "${given('kind')}". Use ${SEARCH_KINDS.join(', ')}` };
  const times = { since: given('since'), until: given('until') };
  const wrong = Object.entries(times).find(([, time]) => time !== undefined && instantIn(time) === undefined);
  if (wrong !== undefined)
    return {
      code: 'bad_request',
      sentence: `${wrong[0]} "${wrong[1]}" is not a time. Use one such as 2026-11-15T18:00`,
    };
  const since = times.since === undefined ? undefined : instantIn(times.since);
  const until = times.until === undefined ? undefined : instantIn(times.until);
  if (since !== undefined && until !== undefined && since > until)
    return { code: 'bad_request', sentence: `since "${times.since}" is later than until "${times.until}"` };
  return {
    personaId: persona?.id,
    projectId: found?.id,
    kind,
    since,
    until,
    before,
    limit: Math.min(limit, MAX_HITS),
  };
}
