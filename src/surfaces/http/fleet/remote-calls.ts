import { actedBy } from '../../../app/engine/acted-by.ts';
import { answerOf, type RemoteCalls } from '../../../app/fleet/take-commands.ts';
import { isRefusal } from '../../../domain/refusals.ts';
import { viewRefusal } from '../agents/views.ts';
import { callRoute, createRouter } from '../server/find-route.ts';
import type { HttpDeps, Route } from '../server/route.ts';

/**
 * Performs requests of other machines through the table of routes, with the schemas and refusals of the API. Only
 * routes that the table allows for other machines can be used.
 */
export function createRemoteCalls(deps: () => HttpDeps, routes: readonly Route[]): RemoteCalls {
  const findRoute = createRouter(routes.filter(({ path }) => !path.startsWith('/api/machines/')));
  const afarOf = (method: string, path: string): Route['afar'] => findRoute(method, path)?.route.afar;
  return {
    refuse: (method, path) =>
      afarOf(method, path) === undefined
        ? { code: 'not_from_afar', sentence: `Another machine cannot send this request: ${method} ${path}` }
        : undefined,
    actsFirst: (method, path) => afarOf(method, path) === 'act',
    perform: async ({ method, route, query, body, operator, from }, ports) => {
      const match = findRoute(method, route);
      if (match === undefined) return answerOf({ code: 'not_found', sentence: `Not found: ${route}` });
      const channel = operator === 'page' ? ({ session: `page on ${from}` } as const) : {};
      const named = actedBy(ports, `operator/${operator} on ${from}`);
      const result = await callRoute(match, {
        url: new URL(`${route}${query === '' ? '' : `?${query}`}`, 'http://baton'),
        caller: { kind: 'operator', machine: from, ...channel },
        deps: { ...deps(), ports: named },
        given: body ?? {},
      });
      if (!isRefusal(result)) return { status: match.route.status, body: result };
      return { status: answerOf(result).status, body: viewRefusal(result) };
    },
  };
}
