import type { EventFilter, Tx } from '../../../app/ports/store.ts';
import * as resources from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import type { Refusal } from '../../../domain/refusals.ts';
import { viewEvent } from '../agents/views.ts';
import { MAX_PAGE, OPERATOR, type Route, route } from '../server/route.ts';
import { EVENT_TYPES, typesOfKind } from './event-sentence.ts';

const MAX_TYPES = 50;

/** Parses a position in the log; text that is not a number means 0, the beginning of the log. */
export const seqIn = (text: string | null | undefined): number => (/^\d{1,15}$/.test(text ?? '') ? Number(text) : 0);

function filterIn(query: URLSearchParams): EventFilter {
  const given = (name: string): string | undefined => query.get(name) || undefined;
  const number = (name: string): number | undefined => (given(name) === undefined ? undefined : seqIn(given(name)));
  return {
    after: number('after'),
    before: number('before'),
    agentId: number('agent'),
    runId: number('run'),
    packageId: given('package'),
    types: typesIn(given('type')?.split(',').slice(0, MAX_TYPES), given('kind')),
    newestFirst: query.get('order') === 'desc',
    limit: Math.min(seqIn(query.get('limit')) || MAX_PAGE, MAX_PAGE),
  };
}

/**
 * Returns the event types to select. If the request names a kind of events, selects the types of this kind. If the
 * request also names types, selects only the named types of this kind.
 */
function typesIn(types: readonly string[] | undefined, kind: string | undefined): readonly string[] | undefined {
  if (kind === undefined) return types;
  const ofKind = typesOfKind(kind);
  return types === undefined ? ofKind : ofKind.filter((type) => types.includes(type));
}

/** Refuses an event type that this version of Baton does not know and that no event in the log has. */
function refuseUnknownType(tx: Pick<Tx, 'events'>, query: URLSearchParams): Refusal | undefined {
  const types = query.get('type')?.split(',').slice(0, MAX_TYPES) ?? [];
  const unknown = types.find(
    (type) => type !== '' && !EVENT_TYPES.includes(type) && tx.events({ types: [type], limit: 1 }).length === 0,
  );
  if (unknown === undefined) return undefined;
  const near = nearTypes(unknown);
  return {
    code: 'bad_request',
    sentence: `Unknown event type "${unknown.slice(0, 60)}"`,
    hint:
      near.length === 0
        ? 'The output of this command contains the types of the events in the log: baton events --json'
        : `Similar types: ${near.join(', ')}`,
  };
}

const MAX_NEAR = 8;

/** Returns the event types that have most words in common with the given type. */
function nearTypes(wanted: string): readonly string[] {
  const words = wanted
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter(Boolean);
  const common = (type: string): number => type.split('_').filter((word) => words.includes(word)).length;
  return EVENT_TYPES.filter((type) => common(type) > 0)
    .sort((a, b) => common(b) - common(a))
    .slice(0, MAX_NEAR);
}

export const EVENT_ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: PATHS.events,
    summary:
      'The event log: ?after=N and ?before=N for the events after or before event N, ?agent=, ?run=, ?package=, ?type=a,b, ?kind=, ?limit=, ?order=desc; with Accept: text/event-stream, a live stream of the events after event N',
    answer: resources.EventPage,
    status: 200,
    callers: OPERATOR,
    afar: 'look',
    handle: ({ deps, query }) =>
      deps.ports.store.read(
        (tx) =>
          refuseUnknownType(tx, query) ?? {
            events: tx.events(filterIn(query)).map(viewEvent),
            last_seq: tx.lastSeq(),
          },
      ),
  }),
];
