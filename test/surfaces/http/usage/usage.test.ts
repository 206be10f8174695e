import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { UsageView } from '../../../../src/contract/history/usage.ts';
import type { Agent } from '../../../../src/contract/resources.ts';
import { SimWorld } from '../../../app/engine/sim-world.ts';
import { ApiInProcess } from '../api-in-process.ts';

let sim: SimWorld;
let api: ApiInProcess;
beforeEach(async () => {
  sim = new SimWorld();
  api = new ApiInProcess(sim.ports);
  await api.listen();
});
afterEach(() => api.remove());

const report = (agentId: number, input: number, costMicros: number | null = null) =>
  sim.record({
    type: 'usage_reported',
    agentId,
    source: `/t${agentId}`,
    session: null,
    tokens: { input, output: 2, cacheRead: 30, cacheWrite: 4 },
    costMicros,
  });
const usage = (query: string): Promise<UsageView> => api.get<UsageView>(`/api/usage${query}`);
const today = (): string => sim.ports.clock.localDay(sim.ports.clock.now());

describe('the route of usage', () => {
  it('GET /api/usage sums tokens by persona, agent or day, and lists the largest sum first', async () => {
    await sim.addAgent();
    await sim.addAgent({ personaId: null });
    await report(1, 100, 2_500_000);
    await report(2, 1_000);
    const byPersona = await usage('?by=persona');
    expect(byPersona.rows.map(({ key, title, tokens, cost_usd }) => [key, title, tokens?.total, cost_usd])).toEqual([
      ['', 'Without a persona', 1_036, null],
      ['developer-con-1', 'Con', 136, 2.5],
    ]);
    expect(byPersona.total).toMatchObject({ agents: 2, tokens: { total: 1_172 }, cost_usd: 2.5, cost_from: ['sim'] });
    expect((await usage('?by=agent')).rows.map(({ key }) => key)).toEqual(['2', '1']);
    expect((await usage('?by=day&persona=developer-con-1')).rows).toMatchObject([
      { key: today(), tokens: { total: 136 } },
    ]);
    expect((await api.get<Agent>('/api/agents/1')).usage).toMatchObject({ tokens: { total: 136 }, cost_usd: 2.5 });
  });

  it('if an agent reported no tokens, GET /api/usage lists the agent as not reported and gives null for the tokens', async () => {
    await sim.addAgent();
    await sim.record({
      type: 'prompt_submitted',
      agentId: 1,
      promptId: 'p',
      ref: null,
      excerpt: 'hello',
      textHash: 'h',
    });
    expect((await usage('')).rows).toMatchObject([{ tokens: null, not_reported: [{ runtime: 'sim', agents: 1 }] }]);
    expect((await api.get<Agent>('/api/agents/1')).usage).toBeNull();
  });

  it('GET /api/usage leaves out days before the period and lists the newest day first', async () => {
    await sim.addAgent();
    await report(1, 100);
    const first = today();
    sim.nowMs += 2 * 86_400_000;
    await report(1, 150);
    expect((await usage('')).rows.map(({ key }) => key)).toEqual([today(), first]);
    const since = sim.ports.clock.now();
    expect((await usage(`?since=${since}`)).rows).toMatchObject([{ key: today(), tokens: { input: 50 } }]);
  });

  it('GET /api/usage contains the tokens used today and the daily budget', async () => {
    sim.operatorSettings = { ...sim.operatorSettings, tokenBudget: 5_000 };
    await sim.addAgent();
    await report(1, 100);
    expect((await usage('')).today).toEqual({ day: today(), tokens: 136, budget: 5_000 });
  });

  it.each([
    ['?by=week', 'Unknown group "week"'],
    ['?since=yesterday', 'since "yesterday" is not a time'],
    ['?since=2026-11-16&until=2026-11-15', 'since (2026-11-16) is later than until (2026-11-15)'],
    ['?project=9', 'Project "9" not found'],
    ['?persona=nobody', 'nobody'],
  ])('GET /api/usage refuses %s with a sentence about the wrong value', async (query, sentence) => {
    expect(JSON.stringify(await api.get(`/api/usage${query}`).catch((error: unknown) => String(error)))).toContain(
      JSON.stringify(sentence).slice(1, -1),
    );
  });
});
