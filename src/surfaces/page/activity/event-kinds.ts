import type { Event, EventKind } from '../../../contract/resources.ts';

export const KINDS: readonly { readonly kind: EventKind; readonly title: string }[] = [
  { kind: 'agent', title: 'Agents' },
  { kind: 'handoff', title: 'Handoffs' },
  { kind: 'package', title: 'Packages' },
  { kind: 'inbox', title: 'Inbox' },
  { kind: 'messages', title: 'Messages' },
  { kind: 'server', title: 'Baton' },
];

export interface EventFilter {
  readonly agent: number | null;
  readonly run: number | null;
  readonly kind: EventKind | null;
}

export const EVERYTHING: EventFilter = { agent: null, run: null, kind: null };

/**
 * True if the filter selects the event, which came from the live feed. The server filters stored events by the same
 * rule.
 */
export const isWanted = ({ agent, run, kind }: EventFilter, event: Event): boolean =>
  (agent === null || event.agent_id === agent) &&
  (run === null || event.run_id === run) &&
  (kind === null || event.kind === kind);

/** Returns the query string for a page of events, newest first. With this order, `before` asks for older events. */
export function eventsQueryString({ agent, run, kind }: EventFilter, limit: number, before?: number): string {
  const query = new URLSearchParams({ order: 'desc', limit: String(limit) });
  if (agent !== null) query.set('agent', String(agent));
  if (run !== null) query.set('run', String(run));
  if (kind !== null) query.set('kind', kind);
  if (before !== undefined) query.set('before', String(before));
  return query.toString();
}
