import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Agent, AgentList, InboxItem } from '../../../src/contract/resources.ts';
import { SimWorld } from '../../app/engine/sim-world.ts';
import { ApiInProcess } from './api-in-process.ts';

let sim: SimWorld;
let api: ApiInProcess;
beforeEach(async () => {
  sim = new SimWorld();
  api = new ApiInProcess(sim.ports);
  await api.listen();
});
afterEach(() => api.remove());

const list = async (query: string): Promise<readonly Agent[]> =>
  (await api.get<AgentList>(`/api/agents${query}`)).agents;
const ids = async (query: string): Promise<readonly number[]> => (await list(query)).map(({ id }) => id);
const context = (usedPercent: number) => ({
  usedPercent,
  usedTokens: 1,
  windowTokens: 2,
  measuredAt: sim.ports.clock.now(),
});
const asks = (agentId: number) =>
  sim.record({ type: 'input_requested', agentId, promptId: null, question: 'asks permission to use Bash' });

/**
 * Agent 1 needs nothing, Baton suggests a handoff for agent 2, agent 3 asks a question, and the handoff of agent 4 has
 * failed.
 */
async function morning(): Promise<void> {
  await sim.addAgent();
  await sim.addAgent({ context: context(91) });
  await sim.addAgent();
  await sim.addAgent();
  await asks(3);
  const { id } = await sim.handOver(4);
  await sim.record({ type: 'effect_failed', runId: id, doing: 'prepare_document_place', detail: 'the disk is full' });
}

describe('the field `needs` of an agent', () => {
  it('[D8] GET /api/agents?sort=need lists the agent with the most severe need first', async () => {
    await morning();
    expect(await ids('?live=1')).toEqual([1, 2, 3, 4]);
    const sorted = await list('?live=1&sort=need');
    expect(sorted.map(({ id, needs }) => [id, needs?.severity])).toEqual([
      [4, 'failed'],
      [3, 'question'],
      [2, 'handoff'],
      [1, undefined],
    ]);
    expect(sorted[0]?.needs?.sentence).toContain('the disk is full');
    expect(sorted[1]?.needs?.sentence).toContain('asks permission to use Bash');
    expect(sorted[2]?.needs?.sentence).toContain('has used 91 % of its context');
    expect(sorted[3]?.needs).toBeNull();
    expect(await api.get<Agent>('/api/agents/4')).toMatchObject({ needs: { severity: 'failed' } });
  });

  it('[D8] the field `needs` of an agent leaves out a dismissed inbox item', async () => {
    await sim.addAgent();
    await asks(1);
    const { items } = await api.get<{ items: InboxItem[] }>('/api/inbox');
    const id = items[0]?.id ?? 0;
    await api.call('POST', `/api/inbox/${id}/dismiss`, {});
    expect((await list('?live=1'))[0]?.needs).toBeNull();
    expect(await api.call('POST', `/api/inbox/${id}/restore`, {})).toMatchObject({ status: 200, body: { id } });
    expect((await list('?live=1'))[0]?.needs?.severity).toBe('question');
  });
});

describe('the inbox in the API', () => {
  it('[D9] the inbox shows the most severe item first', async () => {
    await morning();
    const { items } = await api.get<{ items: InboxItem[] }>('/api/inbox');
    const severities = items.map(({ severity }) => severity);
    expect(severities.slice(0, 2)).toEqual(['failed', 'question']);
    // The failure must come first in the inbox, although the question is older.
    expect(items[0]?.id).toBeGreaterThan(items[1]?.id ?? 0);
  });

  it('[D9] an agent cannot restore an inbox item', async () => {
    const agent = await sim.addAgent();
    await asks(1);
    const answer = await api.call<{ error: string }>('POST', '/api/inbox/99/restore', {});
    expect([answer.status, answer.body.error]).toEqual([404, 'There is no inbox item 99']);
    const token = sim.ports.agentToken(agent.sessionUuid);
    expect((await api.call('POST', '/api/inbox/1/restore', {}, token)).status).toBe(403);
    expect((await api.call('POST', '/api/inbox/1/restore', {}, 'a-token-of-no-agent-0123456789')).status).toBe(401);
  });
});

describe('GET /api/agents', () => {
  it('[D8] GET /api/agents filters by state, project, persona and text', async () => {
    for (const state of ['idle', 'ended', 'working', 'lost'] as const) await sim.addAgent({ state });
    const [first] = await list('?live=1');
    expect(await ids('?state=ended,lost')).toEqual([2, 4]);
    expect(await ids('?live=1&state=working')).toEqual([3]);
    expect(await ids(`?project=${first?.project.id}`)).toEqual([1, 2, 3, 4]);
    expect(await ids(`?persona=${first?.persona?.slug}&state=ended`)).toEqual([2]);
    expect(await ids('?q=agent%203')).toEqual([3]);
    expect(await ids(`?q=${first?.label.toUpperCase()}&live=1`)).toEqual([1, 3]);
    expect(await ids('?q=nothing-has-this-name')).toEqual([]);
  });

  it('[D8] GET /api/agents returns filtered agents in pages', async () => {
    for (let count = 0; count < 5; count++) await sim.addAgent({ state: count % 2 === 0 ? 'ended' : 'idle' });
    const first = await api.get<AgentList>('/api/agents?state=ended&limit=2');
    expect([first.agents.map(({ id }) => id), first.next]).toEqual([[3, 5], 3]);
    const second = await api.get<AgentList>(`/api/agents?state=ended&limit=2&before=${first.next}`);
    expect([second.agents.map(({ id }) => id), second.next]).toEqual([[1], null]);
  });

  it('[D8] GET /api/agents sorts live agents by name, context or last activity', async () => {
    await sim.addAgent({ context: context(20) });
    await sim.addAgent({ context: context(70) });
    expect(await ids('?live=1&sort=context')).toEqual([2, 1]);
    expect(await ids('?live=1&sort=name')).toEqual([1, 2]);
    expect(await ids('?ids=2,1&sort=started')).toEqual([1, 2]);
  });

  it.each([
    ['?state=asleep', '"asleep" is not a state of an agent; the states are '],
    ['?sort=luck&live=1', 'Agents cannot be sorted by "luck"; ?sort= is one of need, name, '],
    ['?sort=need', '?sort=need needs ?live=1, because a page of all agents is sorted by start'],
    ['?project=none', 'There is no project "none"'],
    ['?persona=nobody-1', 'There is no persona "nobody-1"'],
  ])('[D8] GET /api/agents answers 400 to %s with one sentence', async (query, sentence) => {
    const { status, body } = await api.call<{ error: string }>('GET', `/api/agents${query}`);
    expect([status, body.error]).toEqual([400, expect.stringContaining(sentence)]);
  });
});
