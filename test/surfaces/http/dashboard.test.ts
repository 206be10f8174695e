import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store, Tx } from '../../../src/app/ports/store.ts';
import type { Agent, Event, RunList, RunTexts, SettingsView } from '../../../src/contract/resources.ts';
import { SimWorld } from '../../app/engine/sim-world.ts';
import { ApiInProcess } from './api-in-process.ts';

let sim: SimWorld;
let api: ApiInProcess;
const asked = new Map<string, number>();
beforeEach(async () => {
  sim = new SimWorld();
  asked.clear();
  api = new ApiInProcess({ ...sim.ports, store: counting(sim.ports.store) });
  await api.listen();
});
afterEach(() => api.remove());

/** Counts how often each query is sent to the store. */
function counting(store: Store): Store {
  const counted = (tx: Tx): Tx =>
    new Proxy(tx, {
      get: (verbs, name: keyof Tx & string) => {
        asked.set(name, (asked.get(name) ?? 0) + 1);
        return verbs[name];
      },
    });
  return { ...store, read: (work) => store.read((tx) => work(counted(tx))) };
}

const context = (usedPercent: number) => ({
  usedPercent,
  usedTokens: 1,
  windowTokens: 2,
  measuredAt: sim.ports.clock.now(),
});
const agents = async (query = ''): Promise<Agent[]> =>
  (await api.get<{ agents: Agent[] }>(`/api/agents${query}`)).agents;

describe('POST /api/agents/{id}/handoff', () => {
  const trigger = (id: number) => api.call('POST', `/api/agents/${id}/handoff`, { reason: 'context_limit' });

  it('[000 Valid handoff trigger] [002 FR1] a handoff request is answered with 200 "initiated" before anything is typed', async () => {
    await sim.addAgent();
    expect(await trigger(1)).toMatchObject({ status: 200, body: { status: 'initiated', run_id: 1 } });
    expect([sim.run().step, sim.typed]).toEqual(['requested', []]);
  });

  it.each([
    ['[000 Agent without persona]', { personaId: null }, 'Agent has no persona'],
    ['[000 Agent without tmux pane]', { pane: null }, expect.stringContaining('no tmux pane')],
    ['[000 Agent already ended]', { state: 'ended' }, 'Agent is not active'],
  ] as const)('a handoff request is answered with 400 and begins no run: %s', async (_scenario, over, error) => {
    const agent = await sim.addAgent();
    await sim.ports.store.write((tx) => tx.saveAgent({ ...agent, ...over }));
    expect(await trigger(1)).toMatchObject({ status: 400, body: { error } });
    expect(sim.ports.store.read((tx) => tx.runs({ limit: 10 }))).toEqual([]);
  });

  it('[000 Agent already has handoff record] a second handoff request is answered with 409', async () => {
    const { id } = await sim.addAgent();
    const record = { agentId: id, reason: 'shift_end', filePath: 'd.md', injectionPrompt: 'Read it.' } as const;
    const made = await sim.ports.store.write((tx) => tx.insertHandoff(record));
    expect(await trigger(id)).toMatchObject({ status: 409, body: { error: 'Handoff already in progress' } });
    expect(sim.ports.store.read((tx) => [tx.handoffs({ limit: 10 }), tx.runs({ limit: 10 })])).toEqual([[made], []]);
  });
});

describe('GET /api/runs', () => {
  const cancelledRuns = async (count: number): Promise<void> => {
    const { id } = await sim.addAgent();
    for (let made = 0; made < count; made++) {
      await sim.handOver(id);
      await api.call('POST', `/api/runs/${made + 1}/cancel`, {});
    }
  };

  it('for GET /api/runs, each agent is read only once, however many runs it has', async () => {
    await cancelledRuns(5);
    asked.clear();
    expect((await api.get<RunList>('/api/runs')).runs).toHaveLength(5);
    expect(['agentById', 'personaById', 'projectById', 'runsOfAgent'].map((name) => asked.get(name))).toEqual([
      1, 1, 1, 1,
    ]);
  });

  it('with the parameter `state`, GET /api/runs lists only the runs in that state, page by page', async () => {
    await cancelledRuns(3);
    await sim.handOver(1);
    const ids = async (query: string) => {
      const { runs, next } = await api.get<RunList>(`/api/runs?${query}`);
      return [runs.map(({ id }) => id), next];
    };
    expect(await ids('state=in_flight')).toEqual([[4], null]);
    expect(await ids('state=cancelled&limit=2')).toEqual([[3, 2], 2]);
    expect(await ids('state=cancelled&limit=2&before=2')).toEqual([[1], null]);
    expect(await ids('state=failed')).toEqual([[], null]);
  });

  it('GET /api/runs answers 400 for an unknown state', async () => {
    expect(await api.call('GET', '/api/runs?state=dead')).toMatchObject({
      status: 400,
      body: { error: 'A handoff has no state "dead". Use one of: in_flight, failed, completed, cancelled.' },
    });
  });
});

describe('agents in the API', () => {
  it('[S-14] [002 FR2] a handoff request for an unknown agent gets 404 even if its reason is not a string', async () => {
    await sim.addAgent();
    expect(await api.call('POST', '/api/agents/99/handoff', { reason: 5 })).toMatchObject({
      status: 404,
      body: { error: 'Agent 99 not found' },
    });
    expect(await api.call('POST', '/api/agents/1/handoff', { reason: 5 })).toMatchObject({
      status: 400,
      body: { code: 'unknown_reason', error: expect.stringContaining('context_limit') },
    });
  });

  it('[S-13] [003 Agent with handoff] [003 Agent without handoff] the API shows for each agent its handoff record and whether a handoff is offered', async () => {
    await sim.addAgent({ context: context(84), state: 'working', tool: 'Bash', lastPrompt: 'mend it' });
    await sim.addAgent({ context: context(70), lastPrompt: `mend\n${'x'.repeat(500)}` });
    await sim.addAgent({ personaId: null });
    await sim.addAgent({ context: context(90) });
    await sim.handOver(4);
    await sim.addAgent({ context: context(90) });
    const { id } = await sim.handOver(5);
    await sim.ports.store.write((tx) => {
      const record = tx.insertHandoff({
        agentId: 5,
        reason: 'shift_end',
        filePath: 'd.md',
        injectionPrompt: 'Read it.',
      });
      tx.saveRun({ ...sim.run(id), step: 'failed', handoffId: record.id });
    });
    const [one, two, three, four, five] = await agents();
    expect(five).toMatchObject({ run_id: null, handoff_offer: { why_not: 'Handoff already in progress' } });
    expect(five?.handoff).toMatchObject({
      agent_id: 5,
      reason: 'shift_end',
      file_path: 'd.md',
      injection_prompt: 'Read it.',
    });
    expect(one?.handoff).toBeNull();
    expect(one).toMatchObject({
      activity: 'Bash',
      handoff_offer: { offered: true, why_not: null },
      context: { tier: 'handoff' },
    });
    expect(two?.context?.tier).toBe('warn');
    expect(two?.activity).toMatch(/^mend x{155}$/);
    expect(two?.handoff_offer.why_not).toContain('70 %');
    expect(three?.handoff_offer).toEqual({ offered: false, why_not: 'Agent has no persona' });
    expect(four?.handoff_offer).toEqual({ offered: false, why_not: 'Handoff already in progress' });
    expect(four?.run_id).toBe(1);
    expect(one?.attach_command).toBe(sim.ports.terminal.attachCommand(one?.tmux.session ?? ''));
  });

  it('the API can filter agents by state and by id', async () => {
    for (const state of ['idle', 'ended', 'working', 'lost'] as const) await sim.addAgent({ state });
    const ids = async (query: string) => (await agents(query)).map(({ id }) => id);
    expect(await ids('?live=1')).toEqual([1, 3]);
    expect(await ids('?ids=4,2,2,99,x')).toEqual([4, 2]);
    expect(await ids('?ids=2,3&live=1')).toEqual([3]);
    expect(await ids('')).toEqual([1, 2, 3, 4]);
  });

  it('listing fifty agents takes few database queries', async () => {
    for (let count = 0; count < 50; count++) await sim.addAgent({ context: context(50) });
    await agents('?live=1');
    asked.delete('agentByTokenHash');
    expect(Object.fromEntries(asked)).toEqual({
      liveAgents: 1,
      openInboxItems: 1,
      runsInFlight: 1,
      handoffsOfLiveAgents: 1,
      personaById: 1,
      projectById: 1,
    });
  });
});

describe('events in the API', () => {
  it('the API can filter events by agent, run and type', async () => {
    await sim.addAgent();
    await sim.addAgent();
    await sim.handOver(2);
    await sim.record({ type: 'agent_seen_working', agentId: 1 });
    const found = async (query: string) => (await api.get<{ events: Event[] }>(`/api/events?${query}`)).events;
    const all = await found('after=&before=&agent=&run=&type=&limit=');
    expect(all.map(({ seq }) => seq)).toEqual(all.map((_, index) => index + 1));
    expect((await found('agent=1')).every(({ agent_id }) => agent_id === 1)).toBe(true);
    const ofRun = await found('run=1&order=desc');
    expect(ofRun.length).toBeGreaterThan(0);
    expect(ofRun).toEqual(all.filter(({ run_id }) => run_id === 1).reverse());
    expect((await found('type=agent_state_changed,agent_seen_working&agent=1')).map(({ type }) => type)).toEqual([
      'agent_seen_working',
      'agent_state_changed',
    ]);
    expect((await found('order=desc&limit=1&before=3')).map(({ seq }) => seq)).toEqual([2]);
    expect(await found('agent=x')).toEqual([]);
  });
});

describe('runtimes in the API', () => {
  it('for each runtime that cannot be started, the list of runtimes says why', async () => {
    sim.unavailable = 'Install it first.';
    expect(await api.get('/api/runtimes')).toMatchObject({
      runtimes: [{ id: 'sim', title: 'Simulated', why_unavailable: 'Install it first.' }],
    });
  });
});

describe('settings in the API', () => {
  it("the settings in the API include the handoff threshold and the paths of config.json and Baton's home", async () => {
    const settings = await api.get<SettingsView>('/api/settings');
    expect(settings).toMatchObject({ handoff_at_percent: 80, config_path: '/home/config.json', home: api.home });
  });

  it('the API refuses a setting whose value the API contract does not allow', async () => {
    const { status, body } = await api.call<{ error: string }>('POST', '/api/settings', { handoff_at_percent: 5 });
    expect([status, body.error]).toEqual([400, expect.stringContaining('handoff_at_percent')]);
  });
});

describe('the texts of a run', () => {
  it('a request for the texts of a run that does not exist is refused with 404', async () => {
    expect((await api.call('GET', '/api/runs/9/texts')).status).toBe(404);
    await sim.addAgent();
    await sim.handOver(1);
    expect(await api.get<RunTexts>('/api/runs/1/texts')).toEqual({ texts: [] });
  });
});
