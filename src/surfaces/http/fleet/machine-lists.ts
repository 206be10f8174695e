import type { PackageRow } from '../../../contract/packages/package-resources.ts';
import type { Agent, Run } from '../../../contract/resources.ts';
import { isLive } from '../../../domain/agents/agent.ts';
import { RUN_STATES } from '../../../domain/handoffs/run.ts';
import type { Refusal } from '../../../domain/refusals.ts';
import { cutAt, pageIn } from '../server/page-in.ts';
import { MAX_PAGE } from '../server/route.ts';

/**
 * Functions that filter the last known objects of another machine. They refuse a filter that they cannot apply, because
 * a list without the filter would contain rows that the caller did not ask for.
 */

const MAX_SHOWN = 40;
const bad = (sentence: string): Refusal => ({ code: 'bad_request', sentence });

/** Refuses a request with a filter that is not in `known`. */
export function refuseFilters(query: URLSearchParams, what: string, known: readonly string[]): Refusal | undefined {
  const unknown = [...query.keys()].find((key) => !known.includes(key));
  if (unknown === undefined) return undefined;
  const rest = known.length === 0 ? '' : `, only by ${known.join(', ')}`;
  return bad(`The ${what} of another machine cannot be filtered by "${unknown.slice(0, MAX_SHOWN)}"${rest}`);
}

export const AGENT_FILTERS: readonly string[] = ['live', 'ids', 'limit', 'before'];

const isAmong = (ids: string | null): ((row: { readonly id: number }) => boolean) => {
  const wanted = ids?.split(',');
  return ({ id }) => wanted === undefined || wanted.includes(String(id));
};

/** Returns the rows of the requested page. Returns all known rows if the request has no ?limit=. */
function pageOf<T extends { readonly id: number }>(rows: readonly T[], query: URLSearchParams) {
  const page = pageIn(query, MAX_PAGE);
  const { before = Number.POSITIVE_INFINITY } = page;
  return cutAt(
    rows.filter(({ id }) => id < before).toSorted((one, other) => other.id - one.id),
    page,
  );
}

/**
 * Returns the agents that the request asks for, oldest first. The list is not divided into pages if the request asks
 * for live agents or names the ids of agents.
 */
export function wantedAgents(known: readonly Agent[], query: URLSearchParams) {
  const isLiveOnly = query.get('live') === '1';
  const agents = known
    .filter((agent) => !isLiveOnly || isLive(agent))
    .filter(isAmong(query.get('ids')))
    .toSorted((one, other) => one.id - other.id);
  if (isLiveOnly || query.has('ids')) return { agents, next: null };
  const { rows, next } = pageOf(agents, query);
  return { agents: rows.toReversed(), next };
}

/** Returns the runs that the request asks for, newest first. */
export function wantedRuns(known: readonly Run[], query: URLSearchParams) {
  const refusal = refuseFilters(query, 'handoffs', ['state', 'ids', 'limit', 'before']);
  if (refusal !== undefined) return refusal;
  const wanted = query.get('state');
  const state = RUN_STATES.find((each) => each === wanted);
  if (wanted !== null && state === undefined)
    return bad(`A handoff has no state "${wanted.slice(0, MAX_SHOWN)}". Use one of: ${RUN_STATES.join(', ')}.`);
  const isWanted = ({ over, step }: Run): boolean =>
    state === undefined || (state === 'in_flight' ? !over && step !== 'failed' : step === state);
  const { rows, next } = pageOf(known.filter(isWanted).filter(isAmong(query.get('ids'))), query);
  return { runs: [...rows], next };
}

/** Returns the packages that the request asks for, newest first. */
export function wantedPackages(known: readonly PackageRow[], query: URLSearchParams) {
  const refusal = refuseFilters(query, 'packages', ['open', 'project', 'state', 'type', 'agent', 'limit', 'before']);
  if (refusal !== undefined) return refusal;
  const given = (name: string): string | undefined => query.get(name) || undefined;
  const fits = (name: string, ...values: readonly (string | number)[]): boolean => {
    const wanted = given(name);
    return wanted === undefined || values.map(String).includes(wanted);
  };
  const before = known.find(({ id }) => id === given('before'));
  if (given('before') !== undefined && before === undefined) return { packages: [], next: null };
  const found = known
    .filter(({ over }) => query.get('open') !== '1' || !over)
    .filter(
      ({ state, type, from, to, project_id }) =>
        fits('state', state) && fits('type', type) && fits('agent', from, to) && fits('project', project_id),
    )
    .filter((each) => before === undefined || isOlder(each, before))
    .toSorted((one, other) => (isOlder(one, other) ? 1 : -1));
  const { limit } = pageIn(query, MAX_PAGE);
  const packages = found.slice(0, limit);
  return { packages, next: found.length > limit ? (packages.at(-1)?.id ?? null) : null };
}

/** Compares packages by the time of creation. Packages that were created at the same time are compared by their ids. */
const isOlder = (one: PackageRow, other: PackageRow): boolean =>
  one.created_at === other.created_at
    ? one.id.localeCompare(other.id, 'en', { numeric: true }) < 0
    : one.created_at < other.created_at;
