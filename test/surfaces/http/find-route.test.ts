import { describe, expect, it } from 'vitest';
import { createRouter } from '../../../src/surfaces/http/server/find-route.ts';
import { openApi } from '../../../src/surfaces/http/server/openapi.ts';
import { ROUTES } from '../../../src/surfaces/http/server/routes.ts';

const find = createRouter(ROUTES);
const found = (method: string, path: string) => {
  const match = find(method, path);
  return match && [match.route.path, match.id, match.slug];
};

describe('the route of a request', () => {
  it.each([
    ['POST', '/api/personas/register', ['/api/personas/register', 0, '']],
    ['GET', '/api/personas', ['/api/personas', 0, '']],
    ['GET', '/api/personas/developer-con-1', ['/api/personas/{slug}', 0, 'developer-con-1']],
    ['GET', '/api/personas/7', ['/api/personas/{slug}', 0, '7']],
    ['POST', '/api/personas/qa-lead-zoe-12/skill', ['/api/personas/{slug}/skill', 0, 'qa-lead-zoe-12']],
    ['GET', '/api/personas/a-b-3/lineage', ['/api/personas/{slug}/lineage', 0, 'a-b-3']],
    ['POST', '/api/agents/12/persona', ['/api/agents/{id}/persona', 12, '']],
    ['GET', '/api/agents/12', ['/api/agents/{id}', 12, '']],
  ])('a route is found for %s %s', (method, path, row) => {
    expect(found(method, path)).toEqual(row);
  });

  it.each([
    ['GET', '/api/personas/'],
    ['GET', '/api/personas/-con'],
    ['GET', '/api/personas/Con'],
    ['GET', '/api/personas/..'],
    ['GET', '/api/personas/a%2fb'],
    ['GET', '/api/personas/a\nb'],
    ['GET', `/api/personas/${'a'.repeat(82)}`],
    ['GET', '/api/personas/developer-con-1/'],
    ['GET', '/api/personas/developer-con-1/skill'],
    ['POST', '/api/personas/developer-con-1/other'],
    ['GET', '/api/agents/0'],
    ['GET', '/api/agents/01'],
    ['GET', '/api/agents/1x'],
    ['GET', '/api/agents/1234567890123456'],
    ['DELETE', '/api/agents/1'],
    ['GET', '/x/api/health'],
  ])('no route is found for %s %s', (method, path) => {
    expect(found(method, path)).toBeUndefined();
  });

  it('a route with a literal path has precedence over a route with a parameter', () => {
    const [first] = ROUTES.filter(({ path }) => path === '/api/personas/{slug}/edit');
    const rows = ['/x/{slug}', '/x/register', '/x/{id}'].map((path) => ({ ...first, path }) as (typeof ROUTES)[number]);
    expect(createRouter(rows)('POST', '/x/register')).toMatchObject({ route: { path: '/x/register' }, slug: '' });
  });

  it('each path in the route table leads to the route with this path', () => {
    const { paths } = openApi(ROUTES, '0') as {
      paths: Record<string, Record<string, { parameters: { name: string }[] }>>;
    };
    for (const { method, path } of ROUTES) {
      const address = path
        .replace('{machine}', 'laptop')
        .replace('{id}', '7')
        .replace('{slug}', 'developer-con-1')
        .replace('{package}', 'HO-2026-001')
        .replace('{session}', '0b1f5a62-1');
      expect(found(method, address)?.[0]).toBe(path);
      const named = paths[path]?.[method.toLowerCase()]?.parameters.map(({ name }) => `{${name}}`);
      expect(named).toEqual(path.match(/\{\w+\}/g) ?? []);
    }
  });
});
