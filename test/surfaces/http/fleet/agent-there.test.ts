import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SimWorld } from '../../../app/engine/sim-world.ts';
import { ApiInProcess, noFleet } from '../api-in-process.ts';
import { joinFleetOfTwo, reportOfLaptop } from './fleet-of-two.ts';

const LAPTOP = '/api/machines/laptop';

let api: ApiInProcess;
/** The requests that were sent to the machine `laptop`. */
const sent: string[] = [];

beforeEach(async () => {
  const sim = new SimWorld();
  sent.splice(0);
  const send = async (machine: string, { method, route }: { method: string; route: string }) => {
    sent.push(`${machine} ${method} ${route}`);
    return { status: 200, body: {} };
  };
  api = new ApiInProcess(sim.ports, { ...noFleet(sim.ports), send });
  await api.listen();
  const { store } = sim.ports;
  await joinFleetOfTwo(store);
  const agent = (id: number, name: string, state: string, project = 'api') => ({
    ...{ id, state, persona: { name, slug: `developer-${name.toLowerCase()}-1`, role: 'developer' } },
    project: { id: project.length, name: project, path: `/src/${project}` },
  });
  await reportOfLaptop(store, 'agent', [
    agent(3, 'Con', 'ended'),
    agent(4, 'Con', 'idle'),
    agent(5, 'Ann', 'idle'),
    agent(6, 'Ann', 'working', 'shop'),
    agent(7, 'Bob', 'ended'),
    { ...agent(8, 'Eve', 'idle'), persona: null as never },
  ]);
});
afterEach(() => api.remove());

describe('the name of an agent on another machine', () => {
  it.each(['Con', 'con', 'developer-con-1', '4'])(
    'a request for the agent "%s" on the machine laptop reaches agent 4',
    async (name) => {
      await api.call('GET', `${LAPTOP}/agents/${name}`);
      await api.call('POST', `${LAPTOP}/agents/${name}/stop`, { force: false });
      expect(sent).toEqual(['laptop GET /api/agents/4', 'laptop POST /api/agents/4/stop']);
    },
  );

  it.each([
    ['Ann', 409, 'Several live agents on laptop are named Ann: agent 5 in api, agent 6 in shop'],
    ['Bob', 404, 'No live agent on laptop is named "Bob"'],
    ['Eve', 404, 'No live agent on laptop is named "Eve"'],
  ])(
    'if no agent or several agents on the machine laptop have the name, a request for the agent "%s" is refused and not sent',
    async (name, code, error) => {
      const { status, body } = await api.call<{ error: string }>('GET', `${LAPTOP}/agents/${name}`);
      expect([status, body.error, sent]).toEqual([code, error, []]);
    },
  );

  it('if a request for an agent names an unknown machine, the refusal contains the name of the machine', async () => {
    const { body } = await api.call<{ error: string }>('GET', '/api/machines/tablet/agents/Con');
    expect(body.error).toBe('The fleet has no machine "tablet"');
  });

  it('the ids of runs and packages are sent to another machine unchanged', async () => {
    await api.call('GET', `${LAPTOP}/runs/12/texts`);
    await api.call('GET', `${LAPTOP}/packages/HO-2026-001/report`);
    expect(sent).toEqual(['laptop GET /api/runs/12/texts', 'laptop GET /api/packages/HO-2026-001/report']);
  });
});
