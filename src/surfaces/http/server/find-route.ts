import { PACKAGE_ID } from '../../../domain/packages/content/package.ts';
import { SLUG_SHAPE } from '../../../domain/personas/persona.ts';
import { SESSION_SHAPE } from '../../../domain/sessions/external-session.ts';
import { ID, PACKAGE, type Route, SESSION, SLUG } from './route.ts';

export interface Match {
  readonly route: Route;
  readonly id: number;
  readonly slug: string;
  readonly packageId: string;
  readonly sessionId: string;
}

/** The pattern of each path parameter. Paths are not percent-decoded, because no id and no slug needs it. */
const PARAMETERS = {
  [ID]: { name: 'id', pattern: '[1-9][0-9]{0,14}' },
  [SLUG]: { name: 'slug', pattern: SLUG_SHAPE },
  [PACKAGE]: { name: 'package', pattern: PACKAGE_ID.source.slice(1, -1) },
  [SESSION]: { name: 'session', pattern: SESSION_SHAPE },
} as const;

/** Finds the route of a request; a literal path wins over one with a parameter. */
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
    } = found.shape.exec(path)?.groups ?? {};
    return { route: found.route, id: Number(id), slug, packageId, sessionId };
  };
}

export function shapeOf(path: string): RegExp {
  const filled = Object.entries(PARAMETERS).reduce(
    (shape, [mark, { name, pattern }]) => shape.replace(mark, `(?<${name}>${pattern})`),
    path.replaceAll('.', '\\.'),
  );
  return new RegExp(`^${filled}$`);
}
