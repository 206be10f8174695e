import type { Event } from '../../../src/contract/resources.ts';
import { ROUTES } from '../../../src/surfaces/http/server/routes.ts';
import type { BatonProcess } from '../../../test/support/baton-process.ts';
import { sendRaw } from './raw-request.ts';
import { compose, plainRequest, REQUEST_SHAPES } from './request-shapes.ts';

export interface RouteAttack {
  readonly routes: number;
  readonly shapes: number;
  readonly refused: number;
  /** One sentence for each hostile request that Baton accepted, and for each refusal that leaked a secret. */
  readonly found: readonly string[];
}

/** Returns a path that matches this route, with an example value for each parameter. */
export const anyOf = (path: string): string =>
  path
    .replace('{id}', '1')
    .replace('{slug}', 'developer-con-1')
    .replace('{package}', 'HO-2026-001')
    .replace(/\{\w+\}/g, 'x');

/**
 * Sends every kind of hostile request to every route in the router's own table, so a new route is attacked
 * automatically. `secrets` are words that no refusal may contain.
 */
export async function attackRoutes(baton: BatonProcess, secrets: readonly string[]): Promise<RouteAttack> {
  const own = { port: baton.port, token: baton.token };
  const found: string[] = [];
  let refused = 0;
  const before = await lastEvent(baton);
  attack: for (const { method, path } of ROUTES)
    for (const shape of REQUEST_SHAPES) {
      // Stop after the first accepted request. A further accepted request could stop the server, and this function
      // would wait in vain for an answer.
      if (found.length > 0) break attack;
      const plain = plainRequest(method, anyOf(path), own);
      const { status, head, body } = await sendRaw(own.port, compose({ ...plain, ...shape.change(plain, own) }));
      const where = `${method} ${path} with ${shape.name}`;
      if (status === 0 || (status >= 400 && status < 500)) refused++;
      else found.push(`${where}: answered ${status} ${body.slice(0, 80)}`);
      for (const secret of secrets)
        if (head.includes(secret) || body.includes(secret)) found.push(`${where}: the answer tells ${secret}`);
    }
  const { events } = await baton.get<{ events: Event[] }>(`/api/events?after=${before}`);
  for (const { seq, type } of events)
    if (!TOLD_BY_AGENTS.has(type)) found.push(`a refused request left event ${seq} in the log: ${type}`);
  return { routes: ROUTES.length, shapes: REQUEST_SHAPES.length, refused, found };
}

/**
 * Types of events that may appear during the attack. Such an event is not the result of a request, but of reconcile or
 * of the hook of an idle agent.
 */
const TOLD_BY_AGENTS: ReadonlySet<string> = new Set([
  'context_measured',
  'turn_ended',
  'agent_said_idle',
  'agent_seen_idle',
  'agent_seen_working',
  'agent_state_changed',
  'usage_reported',
]);

const lastEvent = async (baton: BatonProcess): Promise<number> =>
  (await baton.get<{ last_seq: number }>('/api/health')).last_seq;
