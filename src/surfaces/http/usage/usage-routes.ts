import { personaNamed } from '../../../app/personas/find-by-name.ts';
import { instantIn } from '../../../app/search/search-texts.ts';
import { UsageView } from '../../../contract/history/usage.ts';
import { PATHS } from '../../../contract/routes.ts';
import { type Instant, instantFromMs } from '../../../domain/instant.ts';
import { isRefusal, type Refusal } from '../../../domain/refusals.ts';
import { totalOf } from '../../../domain/usage/usage.ts';
import { rowsOf, totalUsage, USAGE_GROUPS, type UsageFilter, type UsageRow } from '../../../domain/usage/usage-day.ts';
import { type HttpDeps, OPERATOR, type Route, route } from '../server/route.ts';
import { viewRow, viewSum } from './usage-views.ts';

/** The length of the period if a request has no ?since=. The period is then today and the six days before. */
const USUAL_MS = 6 * 86_400_000;

export const USAGE_ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: PATHS.usage,
    summary:
      'The tokens that agents used, and the costs that their clients reported: ?by=day (the default), persona, project or agent, ?since=TIME and ?until=TIME for the first and the last local day (the last seven days unless given), ?persona=SLUG and ?project=ID filter',
    answer: UsageView,
    status: 200,
    callers: OPERATOR,
    handle: async ({ deps, query }) => {
      const filter = filterIn(deps, query);
      if (isRefusal(filter)) return filter;
      const given = query.get('by') || 'day';
      const by = USAGE_GROUPS.find((each) => each === given);
      if (by === undefined) return bad(`Unknown group "${given}". Use ${USAGE_GROUPS.join(', ')}`);
      const { clock, store, operatorSettings } = deps.ports;
      const day = clock.localDay(clock.now());
      return store.read((tx) => {
        const rows = rowsOf(tx.usageBy(by, filter)).toSorted(by === 'day' ? newestFirst : mostFirst);
        return {
          by,
          since: filter.since,
          until: filter.until,
          rows: rows.map((row) => viewRow(tx, by, row)),
          total: viewSum(totalUsage(tx.usageBy('agent', filter))),
          today: { day, tokens: tx.tokensOn(day), budget: operatorSettings.current().tokenBudget },
        };
      });
    },
  }),
];

const newestFirst = (one: UsageRow, other: UsageRow): number => (String(one.key) < String(other.key) ? 1 : -1);

const tokensOf = ({ tokens }: UsageRow): number => (tokens === null ? -1 : totalOf(tokens));
const mostFirst = (one: UsageRow, other: UsageRow): number => tokensOf(other) - tokensOf(one);

const bad = (sentence: string): Refusal => ({ code: 'bad_request', sentence });

type Period = UsageFilter & { readonly since: string; readonly until: string };

function filterIn({ ports: { clock, store } }: HttpDeps, query: URLSearchParams): Period | Refusal {
  const given = (name: string): string | undefined => query.get(name) || undefined;
  const now = clock.now();
  const dayOf = (name: 'since' | 'until', usual: Instant): string | Refusal => {
    const text = given(name);
    const at = text === undefined ? usual : instantIn(text);
    return at === undefined
      ? bad(`${name} "${text}" is not a time. Use one such as 2026-11-15T18:00`)
      : clock.localDay(at);
  };
  const since = dayOf('since', instantFromMs(Date.parse(now) - USUAL_MS));
  const until = dayOf('until', now);
  if (isRefusal(since)) return since;
  if (isRefusal(until)) return until;
  if (since > until) return bad(`since (${since}) is later than until (${until})`);
  const wanted = given('persona');
  const persona = wanted === undefined ? undefined : store.read((tx) => personaNamed(tx, wanted));
  if (isRefusal(persona)) return persona;
  const project = given('project');
  const found =
    project === undefined ? undefined : store.read((tx) => tx.projects()).find(({ id }) => `${id}` === project);
  if (project !== undefined && found === undefined)
    return { code: 'project_not_found', sentence: `Project "${project}" not found` };
  return { since, until, personaId: persona?.id, projectId: found?.id };
}
