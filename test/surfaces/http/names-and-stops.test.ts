import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Agent, Persona } from '../../../src/contract/resources.ts';
import { readJson } from '../../../src/surfaces/socket/read-answer.ts';
import { SimWorld } from '../../app/engine/sim-world.ts';
import { ApiInProcess, noFleet, OPERATOR } from './api-in-process.ts';

let sim: SimWorld;
let api: ApiInProcess;
beforeEach(async () => {
  sim = new SimWorld();
  api = new ApiInProcess(sim.ports);
  await api.listen();
});
afterEach(() => api.remove());

const register = async (role: string, name: string): Promise<Persona> =>
  (await api.call<Persona>('POST', '/api/personas/register', { role, name })).body;

describe('[U3] names of agents and personas in the API', () => {
  it.each(['Con', 'con', 'developer-con-1'])(
    'a request for the agent "%s" reaches the only live agent of the persona Con',
    async (name) => {
      const gone = await sim.addAgent();
      await sim.ports.store.write((tx) => tx.saveAgent({ ...gone, state: 'ended' }));
      await sim.addAgent();
      expect(await api.get(`/api/agents/${name}`)).toMatchObject({ id: 2, label: 'Con' });
      expect(await api.call('POST', `/api/agents/${name}/handoff`, {})).toMatchObject({ status: 200 });
      expect(sim.run().agentId).toBe(2);
    },
  );

  it('if several live agents have the requested name, the refusal of the request gives their numbers', async () => {
    await sim.addAgent();
    await sim.addAgent();
    expect(await api.call('POST', '/api/agents/Con/handoff', {})).toMatchObject({
      status: 409,
      body: { code: 'name_ambiguous', error: 'Several live agents are named Con: agent 1 in p, agent 2 in p' },
    });
    expect(await api.call('POST', '/api/agents/2/handoff', {})).toMatchObject({ status: 200 });
  });

  it.each(['GET /api/agents/9', 'GET /api/agents/9/why', 'POST /api/agents/9/handoff', 'POST /api/agents/9/stop'])(
    '[U12] the refusal of %s gives the number of the unknown agent',
    async (call) => {
      const [method = '', path = ''] = call.split(' ');
      expect(await api.call(method, path, method === 'POST' ? {} : undefined)).toMatchObject({
        status: 404,
        body: { error: 'Agent 9 not found' },
      });
    },
  );

  it('a request is refused if no live agent has the requested name', async () => {
    const gone = await sim.addAgent();
    await sim.ports.store.write((tx) => tx.saveAgent({ ...gone, state: 'ended' }));
    expect(await api.call('GET', '/api/agents/Con')).toMatchObject({
      status: 404,
      body: { error: 'No live agent is named "Con"; the last one, agent 1, is ended' },
    });
    expect(await api.call('GET', '/api/agents/Nobody')).toMatchObject({
      status: 404,
      body: { error: 'No live agent is named "Nobody"' },
    });
  });

  it("a persona's name with accents and spaces can also be written as a plain word", async () => {
    await sim.addAgent();
    const { slug } = await register('tester', 'Zoë / B');
    for (const word of ['zoe-b', 'Zoe-B']) expect(await api.get(`/api/personas/${word}`)).toMatchObject({ slug });
    for (const path of ['/api/agents/Con/none', '/api/runs/Con', '/api/personas/'])
      expect((await api.call('GET', path)).status, path).toBe(404);
    for (const path of ['/api/personas/zo%C3%AB', '/api/agents/..'])
      expect((await api.call('GET', path)).status, path).toBe(400);
  });

  it('in a request to start an agent, a name means a persona', async () => {
    await sim.addAgent();
    const eve = await register('tester', 'Eve');
    const old = await register('writer', 'Eve');
    const start = (persona: string) => api.call<Agent>('POST', '/api/agents', { project_id: 1, persona });
    expect(await start('eve')).toMatchObject({
      status: 409,
      body: { error: `Several personas are named Eve: ${eve.slug}, ${old.slug}` },
    });
    await api.call('POST', `/api/personas/${old.slug}/archive`, {});
    expect(await start('eve')).toMatchObject({ status: 201, body: { persona: { slug: eve.slug } } });
    expect(await api.call('POST', '/api/projects/1/default-persona', { persona: 'Eve' })).toMatchObject({
      body: { default_persona: eve.slug },
    });
    expect(await start('Nobody')).toMatchObject({ status: 404, body: { error: 'Persona "Nobody" not found' } });
  });

  it("an agent's token cannot be used to look up an agent by name", async () => {
    const agent = await sim.addAgent();
    const token = sim.ports.agentToken(agent.sessionUuid);
    for (const name of ['Con', 'Nobody'])
      expect((await api.call('GET', `/api/agents/${name}`, undefined, token)).status).toBe(403);
  });
});

describe('POST /api/agents', () => {
  it('[U6] a request to start an agent can contain a first prompt', async () => {
    await sim.addAgent();
    const { body } = await api.call<Agent>('POST', '/api/agents', { project_id: 1, persona: null, prompt: 'go on' });
    expect(body.first_prompt).toEqual({ state: 'waiting', excerpt: 'go on', sentence: null });
    expect((await api.get<Agent>('/api/agents/1')).first_prompt).toBeNull();
    for (const prompt of ['', '/exit', 5])
      expect(await api.call('POST', '/api/agents', { project_id: 1, persona: null, prompt })).toMatchObject({
        status: 400,
        body: { error: expect.stringMatching(/prompt/) },
      });
  });

  it('[U4] if a request to start an agent names no runtime, the agent gets the default runtime', async () => {
    await sim.addAgent();
    const start = () => api.call<Agent>('POST', '/api/agents', { project_id: 1, persona: null });
    expect(await start()).toMatchObject({ status: 201, body: { runtime: 'sim' } });
    sim.operatorSettings = { ...sim.operatorSettings, defaultRuntime: 'gone' };
    expect(await start()).toMatchObject({ status: 400, body: { error: 'Unknown runtime "gone": use sim' } });
    expect(await api.call('POST', '/api/settings', { default_runtime: 'nonsense' })).toMatchObject({
      status: 400,
      body: { code: 'runtime_unknown', error: 'Unknown runtime "nonsense": use sim' },
    });
  });
});

describe('[U6] POST /api/agents/{id}/interrupt', () => {
  it('an interrupt presses Escape once', async () => {
    await sim.addAgent({ state: 'working' });
    const pressed: string[] = [];
    Object.assign(sim.ports.terminal, { interrupt: async () => void pressed.push('Escape') });
    expect(await api.call('POST', '/api/agents/Con/interrupt', {})).toMatchObject({ status: 200, body: { id: 1 } });
    expect([pressed, sim.notices('agent_interrupted')]).toEqual([['Escape'], [{ agentId: 1, refusal: null }]]);
  });

  it('if the agent does not work, an interrupt is refused', async () => {
    const agent = await sim.addAgent();
    Object.assign(sim.ports.terminal, { interrupt: async () => 'its screen shows no work' });
    const interrupt = (id = 1) => api.call('POST', `/api/agents/${id}/interrupt`, {});
    expect(await interrupt()).toMatchObject({
      status: 409,
      body: { error: 'Agent 1 was not interrupted: its screen shows no work' },
    });
    expect(sim.inbox()).toEqual([]);
    expect(await interrupt(9)).toMatchObject({ status: 404, body: { error: 'Agent 9 not found' } });
    await sim.handOver(1);
    expect(await interrupt()).toMatchObject({ status: 409, body: { code: 'agent_in_handoff' } });
    await sim.ports.store.write((tx) => tx.saveAgent({ ...agent, state: 'ended' }));
    expect(await interrupt()).toMatchObject({ status: 400, body: { error: 'Agent is not active' } });
  });
});

describe('[U6] POST /api/stop', () => {
  it('POST /api/stop stops the server', async () => {
    const agent = await sim.addAgent();
    expect((await api.call('POST', '/api/stop', {}, sim.ports.agentToken(agent.sessionUuid))).status).toBe(403);
    expect((await api.call('POST', '/api/stop', { force: true })).status).toBe(400);
    expect(api.stops).toBe(0);
    expect(await api.call('POST', '/api/stop', {})).toEqual({
      status: 200,
      body: { status: 'stopping', live_agents: 1, hub_runs: false },
    });
    expect(api.stops).toBe(1);
  });

  it.each([
    ['hub', true, true],
    ['hub', false, false],
    ['laptop', true, false],
  ])(
    'the answer to POST /api/stop says whether a hub keeps running (machine: %s, connected to the hub: %s)',
    async (machine, isConnected, runs) => {
      const membership = {
        machine,
        founder: { name: 'hub', key: 'K' },
        hub: { host: 'h', port: 1, certificate: null },
      };
      const status = () => ({ ...noFleet(sim.ports).status(), membership, isConnected });
      await api.remove();
      api = new ApiInProcess(sim.ports, { ...noFleet(sim.ports), status });
      await api.listen();
      expect((await api.call('POST', '/api/stop', {})).body).toMatchObject({ hub_runs: runs });
    },
  );

  it('a request that arrives while the server stops is answered with 503 and not carried out', async () => {
    await sim.addAgent();
    api.http.refuseRequests();
    for (const call of [api.call('POST', '/api/agents/1/handoff', {}), api.call('GET', '/api/health')])
      expect(await call).toMatchObject({
        status: 503,
        body: { code: 'stopping', error: expect.stringContaining('nothing was done') },
      });
    expect((await api.stream(OPERATOR)).statusCode).toBe(503);
    expect(sim.notices('handoff_progress')).toEqual([]);
  });

  it('a stopping server answers each open request with 503 without waiting for the rest of the request', async () => {
    await sim.addAgent();
    const sent = request({
      ...{ socketPath: join(api.home, 'baton.sock'), method: 'POST', path: '/api/agents/1/handoff' },
      headers: {
        ...{ host: 'localhost', authorization: `Bearer ${OPERATOR}`, 'content-type': 'application/json' },
        expect: '100-continue',
      },
    });
    const begun = new Promise((resolve) => sent.once('continue', resolve));
    const answered = new Promise<IncomingMessage>((resolve) => sent.once('response', resolve));
    // Send only the headers, so that the server waits for a body that never comes.
    sent.flushHeaders();
    await begun;
    api.http.refuseRequests();
    await api.http.answerOpenRequests();
    const answer = await answered;
    expect([answer.statusCode, await readJson(answer)]).toEqual([
      503,
      expect.objectContaining({ code: 'stopped', error: expect.stringContaining('carried out or not') }),
    ]);
    sent.destroy();
  });
});
