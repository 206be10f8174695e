import { requestProblems } from '../../../contract/request-problems.ts';
import { MACHINE_SHAPE } from '../../../domain/fleet/member.ts';
import { PACKAGE_ID } from '../../../domain/packages/content/package.ts';
import { SLUG_SHAPE } from '../../../domain/personas/persona.ts';
import { SESSION_SHAPE } from '../../../domain/sessions/external-session.ts';
import type { Caller } from './guard.ts';
import { type HttpDeps, ID, MACHINE, PACKAGE, type Route, SESSION, SLUG } from './route.ts';

export interface Match {
  readonly route: Route;
  readonly id: number;
  readonly slug: string;
  readonly packageId: string;
  readonly sessionId: string;
  readonly machine: string;
}

/** The pattern of each path parameter. Paths are not percent-decoded, because no id and no slug needs decoding. */
const PARAMETERS = {
  [ID]: { name: 'id', pattern: '[1-9][0-9]{0,14}' },
  [SLUG]: { name: 'slug', pattern: SLUG_SHAPE },
  [PACKAGE]: { name: 'package', pattern: PACKAGE_ID.source.slice(1, -1) },
  [SESSION]: { name: 'session', pattern: SESSION_SHAPE },
  [MACHINE]: { name: 'machine', pattern: MACHINE_SHAPE },
} as const;

/** Finds the route of a request. A literal path is preferred to a path with a parameter. */
export function createRouter(routes: readonly Route[]): (method: string, path: string) => Match | undefined {
  const rows = routes
    .map((route) => ({ route, shape: shapeOf(route.path), isExact: !route.path.includes('{') }))
    .sort((one, other) => Number(other.isExact) - Number(one.isExact));
  return (method, path) => {
    const found = rows.find(({ route, shape }) => route.method === method && shape.test(path));
    if (found === undefined) return undefined;
    const {
      id = 0,
      slug = '',
      package: packageId = '',
      session: sessionId = '',
      machine = '',
    } = found.shape.exec(path)?.groups ?? {};
    return { route: found.route, id: Number(id), slug, packageId, sessionId, machine };
  };
}

export function shapeOf(path: string): RegExp {
  const filled = Object.entries(PARAMETERS).reduce(
    (shape, [mark, { name, pattern }]) => shape.replace(mark, `(?<${name}>${pattern})`),
    path.replaceAll('.', '\\.'),
  );
  return new RegExp(`^${filled}$`);
}

/** Checks the body against the schema of the route, and calls the route. */
export async function callRoute(
  { route, ...parameters }: Match,
  { url, caller, deps, given }: { url: URL; caller: Caller; deps: HttpDeps; given: unknown },
): Promise<unknown> {
  const parsed = route.body?.safeParse(given);
  if (parsed?.success === false) {
    const problems = requestProblems(parsed.error.issues, given);
    return { code: 'bad_request', sentence: `The request is not valid: ${problems}` };
  }
  const { pathname: path, searchParams: query } = url;
  return route.handle({ deps, caller, ...parameters, path, query, body: parsed?.data });
}
