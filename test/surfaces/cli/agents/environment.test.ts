import { afterEach, beforeEach, expect, it } from 'vitest';
import { FakeBaton } from '../support/fake-baton.ts';
import { runInHome } from '../support/run-in-home.ts';

let baton: FakeBaton;
const environmentOf = (project: string) => runInHome(baton.home, ['agent', 'env', '--project', project]);
const project = (id: number, name: string, path: string) => ({
  id,
  name,
  path,
  default_persona: null,
  created_at: '2026-11-15T08:00:00.000Z',
});

beforeEach(async () => {
  baton = new FakeBaton();
  await baton.listen();
  baton.answer('GET /api/projects', {
    projects: [project(1, 'shop', '/src/shop'), project(3, 'shop', '/work/shop'), project(4, 'tally', '/src/tally')],
  });
  baton.answer('GET /api/environment', {
    agent_id: null,
    project: null,
    shell: '/bin/sh',
    read_at: null,
    problems: [],
    variables: [],
    removed: [],
  });
});
afterEach(() => baton.remove());

it('if two projects have the same name, `baton agent env --project` refuses the name and lists both projects', async () => {
  const { code, stderr } = await environmentOf('shop');
  expect([code, stderr]).toEqual([1, expect.stringContaining('1 in /src/shop, 3 in /work/shop')]);
  expect(baton.seen.map(({ url }) => url)).toEqual(['/api/projects']);
});

it.each([
  ['tally', 4],
  ['/work/shop', 3],
  ['1', 1],
])('`baton agent env --project %s` asks for the environment in project %i', async (named, id) => {
  expect((await environmentOf(named)).code).toBe(0);
  expect(baton.seen.at(-1)?.url).toBe(`/api/environment?project=${id}`);
});
