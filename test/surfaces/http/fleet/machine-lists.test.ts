import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SimWorld } from '../../../app/engine/sim-world.ts';
import { ApiInProcess } from '../api-in-process.ts';
import { joinFleetOfTwo, reportOfLaptop } from './fleet-of-two.ts';

const LAPTOP = '/api/machines/laptop';

let sim: SimWorld;
let api: ApiInProcess;
const idsIn = async (path: string): Promise<unknown> => {
  const { next, heard: _, ...lists } = await api.get<Record<string, unknown>>(`${LAPTOP}/${path}`);
  const [rows] = Object.values(lists) as { readonly id: unknown }[][];
  return { ids: rows?.map(({ id }) => id), next };
};

beforeEach(async () => {
  sim = new SimWorld();
  api = new ApiInProcess(sim.ports);
  await api.listen();
  const { store } = sim.ports;
  await joinFleetOfTwo(store);
  const agent = (id: number, state: string) => ({ id, state });
  await reportOfLaptop(store, 'agent', [agent(1, 'ended'), agent(2, 'idle'), agent(9, 'ended'), agent(10, 'working')]);
  const run = (id: number, step: string) => ({ id, step, over: step === 'completed' || step === 'cancelled' });
  await reportOfLaptop(store, 'run', [
    run(1, 'failed'),
    run(2, 'completed'),
    run(9, 'cancelled'),
    run(10, 'instructing'),
  ]);
  const sent = (id: string, minute: number, changes: object) => ({
    ...{ id, state: 'pending', over: false, type: 'gate', from: 'con', to: 'human', project_id: 1 },
    ...{ created_at: `2026-11-18T12:${minute}:00.000Z`, ...changes },
  });
  await reportOfLaptop(store, 'package', [
    sent('HO-2026-998', 10, { state: 'completed', over: true }),
    sent('HO-2026-999', 11, { state: 'draft', type: 'sequential' }),
    sent('HO-2026-1000', 12, { from: 'ann', to: 'con', project_id: 2 }),
  ]);
});
afterEach(() => api.remove());

describe('the lists of another machine in the API', () => {
  it.each([
    ['agents', { ids: [1, 2, 9, 10], next: null }],
    ['agents?live=1', { ids: [2, 10], next: null }],
    ['agents?ids=2,9', { ids: [2, 9], next: null }],
    ['agents?limit=2', { ids: [9, 10], next: 9 }],
    ['agents?limit=2&before=9', { ids: [1, 2], next: null }],
    ['runs', { ids: [10, 9, 2, 1], next: null }],
    ['runs?state=failed', { ids: [1], next: null }],
    ['runs?state=in_flight', { ids: [10], next: null }],
    ['runs?state=cancelled', { ids: [9], next: null }],
    ['runs?limit=3', { ids: [10, 9, 2], next: 2 }],
    ['runs?limit=3&before=2', { ids: [1], next: null }],
    ['packages', { ids: ['HO-2026-1000', 'HO-2026-999', 'HO-2026-998'], next: null }],
    ['packages?open=1', { ids: ['HO-2026-1000', 'HO-2026-999'], next: null }],
    ['packages?state=draft', { ids: ['HO-2026-999'], next: null }],
    ['packages?type=gate', { ids: ['HO-2026-1000', 'HO-2026-998'], next: null }],
    ['packages?agent=con', { ids: ['HO-2026-1000', 'HO-2026-999', 'HO-2026-998'], next: null }],
    ['packages?agent=ann', { ids: ['HO-2026-1000'], next: null }],
    ['packages?project=2', { ids: ['HO-2026-1000'], next: null }],
    ['packages?limit=2', { ids: ['HO-2026-1000', 'HO-2026-999'], next: 'HO-2026-999' }],
    ['packages?limit=2&before=HO-2026-999', { ids: ['HO-2026-998'], next: null }],
  ])('GET …/%s returns only the rows that match the query', async (path, rows) => {
    expect(await idsIn(path)).toEqual(rows);
  });

  it.each([
    [
      'agents?state=idle',
      'The agents of another machine cannot be filtered by "state", only by live, ids, limit, before',
    ],
    [
      'runs?agent=3',
      'The handoffs of another machine cannot be filtered by "agent", only by state, ids, limit, before',
    ],
    ['runs?state=lost', 'A handoff has no state "lost". Use one of: in_flight, failed, completed, cancelled.'],
    ['packages?box=inbox', 'The packages of another machine cannot be filtered by "box", only by open, '],
    ['packages?text=api', 'The packages of another machine cannot be filtered by "text", only by open, '],
    ['inbox?limit=1', 'The inbox items of another machine cannot be filtered by "limit"'],
  ])(
    "a request for another machine's list is refused if the API cannot apply the request's filter: GET …/%s",
    async (path, error) => {
      const { status, body } = await api.call<{ error: string }>('GET', `${LAPTOP}/${path}`);
      expect([status, body.error]).toEqual([400, expect.stringContaining(error)]);
    },
  );

  it('the lists of the whole fleet refuse a filter that they do not support', async () => {
    expect((await api.call('GET', '/api/fleet/agents?live=1')).status).toBe(200);
    expect((await api.call('GET', '/api/fleet/agents?limit=1')).status).toBe(400);
    expect((await api.call('GET', '/api/fleet/inbox')).status).toBe(200);
    expect((await api.call('GET', '/api/fleet/inbox?limit=1')).status).toBe(400);
  });
});
