import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Agent, InboxHistory, InboxItem, Run } from '../../../src/contract/resources.ts';
import { BatonProcess, PROGRAM, run } from '../../support/baton-process.ts';

/**
 * Tests automatic handoffs of practice agents in real tmux. The threshold is low, so that the context of an agent
 * reaches it after one step of the plan.
 */
describe('automatic handoffs, end to end', () => {
  const baton = new BatonProcess({ handoff_at_percent: 20 });
  beforeAll(async () => void (await baton.start()));
  afterAll(() => baton.cleanUp());

  const AUTO = { mode: 'auto', idle_seconds: 0, countdown_seconds: 2 };
  const setPolicy = (agent: Agent, policy: object | null) =>
    baton.call('POST', `/api/personas/${agent.persona?.slug}/handoff-policy`, { policy });
  const work = (agent: Agent) =>
    baton.call('POST', `/api/agents/${agent.id}/messages`, { text: 'Do the next step of PLAN.md.' });
  const about = (agent: Agent, type: string, after = 0) =>
    baton.event((event) => event.agent_id === agent.id && event.type === type, after);
  /** Waits until the automatic handoff of the given agent has ended. */
  const handedOff = async (agentId: number): Promise<Run> => {
    const begun = await baton.event(
      (event) => event.agent_id === agentId && event.type === 'handoff_progress' && event.data.from === null,
    );
    return baton.over(begun.run_id ?? 0);
  };
  const inbox = async () => (await baton.get<{ items: InboxItem[] }>('/api/inbox')).items;
  const runsOf = async (agent: Agent) =>
    (await baton.get<{ runs: Run[] }>('/api/runs')).runs.filter(({ agent_id }) => agent_id === agent.id);

  it('[H59] an agent and later its successor are handed off automatically, each with the reason in the inbox history', async () => {
    const agent = await baton.agent();
    await setPolicy(agent, AUTO);
    await work(agent);
    const first = await handedOff(agent.id);
    expect(first, first.failure?.sentence).toMatchObject({
      step: 'completed',
      acknowledged: true,
      begun_because: expect.stringContaining('the handoff policy of its persona is auto'),
    });
    const second = await handedOff(first.successor_agent_id ?? 0);
    expect(second, second.failure?.sentence).toMatchObject({ step: 'completed', acknowledged: true });
    const { items } = await baton.get<InboxHistory>('/api/inbox/history');
    expect(items.filter(({ resolution }) => resolution?.startsWith('Baton began the handoff by itself'))).toHaveLength(
      2,
    );
    await setPolicy(agent, null);
  });

  it('[H62] [H61] a successor that has done no work is handed off only by a person, not automatically', async () => {
    const agent = await baton.agent();
    writeFileSync(join(agent.projectPath, 'PLAN.md'), '# Plan\n- [ ] Write the parser\n');
    await setPolicy(agent, AUTO);
    await work(agent);
    const first = await handedOff(agent.id);
    const successor = await baton.get<Agent>(`/api/agents/${first.successor_agent_id}`);
    await baton.ready(successor.id, true);
    await baton.call('POST', `/api/agents/${successor.id}/messages`, { text: '[[practice:context 90]]' });
    const held = await about(successor, 'auto_handoff_held');
    expect(held.data.why).toBe('loop');
    expect(await inbox()).toContainEqual(
      expect.objectContaining({
        agent_id: successor.id,
        kind: 'decision',
        sentence: expect.stringContaining('no commit, no edit and no completed package'),
      }),
    );
    expect(await runsOf(successor)).toEqual([]);
    await setPolicy(agent, null);
    expect((await baton.call('POST', `/api/agents/${successor.id}/handoff`, {})).status).toBe(200);
  });

  it('[H61] if the limit of a persona is one automatic handoff a day, a second one on that day is held back', async () => {
    const agent = await baton.agent();
    await setPolicy(agent, { ...AUTO, per_day: 1 });
    await work(agent);
    const first = await handedOff(agent.id);
    const held = await baton.event(
      (event) => event.agent_id === first.successor_agent_id && event.type === 'auto_handoff_held',
    );
    expect(held.data.why).toBe('cap');
    await setPolicy(agent, null);
  });

  it('[H61] quiet hours hold an automatic handoff back until the quiet hours end, and the inbox says so', async () => {
    const agent = await baton.agent();
    // The quiet hours last from an hour ago until three hours from now. The calculation is also correct around
    // midnight.
    const [from, to] = [23, 27].map((later) => `${String((new Date().getHours() + later) % 24).padStart(2, '0')}:00`);
    await baton.call('POST', '/api/settings', { quiet_hours: { from, to } });
    await setPolicy(agent, AUTO);
    await work(agent);
    const held = await about(agent, 'auto_handoff_held');
    expect(held.data.why).toBe('quiet_hours');
    expect(await runsOf(agent)).toEqual([]);
    expect(await inbox()).toContainEqual(
      expect.objectContaining({ agent_id: agent.id, sentence: expect.stringContaining('these are your quiet hours') }),
    );
    await baton.call('POST', '/api/settings', { quiet_hours: null });
    const done = await handedOff(agent.id);
    expect(done, done.failure?.sentence).toMatchObject({ step: 'completed', acknowledged: true });
    await setPolicy(agent, null);
    const { items } = await baton.get<InboxHistory>('/api/inbox/history');
    const ended = items.filter(({ agent_id }) => agent_id === agent.id).map(({ resolution }) => resolution);
    expect(ended).toEqual(
      expect.arrayContaining(['A countdown began', expect.stringContaining('Baton began the handoff by itself')]),
    );
  });

  it('[H60] a countdown that `baton status` and `baton ps` show can be stopped by `baton policy cancel` and `baton policy snooze`', async () => {
    const agent = await baton.agent();
    await setPolicy(agent, { ...AUTO, countdown_seconds: 600 });
    await work(agent);
    const began = await about(agent, 'countdown_began');
    const shown = await baton.get<Agent>(`/api/agents/${agent.id}`);
    expect(shown.auto_handoff?.countdown).toMatchObject({ trigger: 'threshold', due_at: began.data.dueAt });
    const cli = (...args: string[]) =>
      run(process.execPath, [PROGRAM, ...args], { ...process.env, BATON_HOME: baton.home });
    expect((await cli('status')).stdout).toContain(`baton policy cancel ${agent.id}`);
    expect((await cli('ps')).stdout).toContain('handoff by itself in');
    expect((await cli('policy', 'snooze', String(agent.id), '--for', '1h')).code).toBe(0);
    expect((await baton.get<Agent>(`/api/agents/${agent.id}`)).auto_handoff).toMatchObject({
      countdown: null,
      snoozed_until: expect.any(String),
    });
    await cli('policy', 'set', 'auto', '--agent', String(agent.id), '--idle', '0', '--countdown', '10m');
    await about(agent, 'countdown_began', began.seq);
    expect((await cli('policy', 'cancel', String(agent.id))).stdout).toContain('does not hand off');
    expect((await cli('inbox', 'history')).stdout).toContain('A person canceled the countdown');
    expect(await runsOf(agent)).toEqual([]);
  });

  it('[H63] an agent\'s request for a handoff starts a handoff under "auto" and opens an inbox item under "suggest"', async () => {
    const agent = await baton.agent();
    const asked = 'baton handoff --self --reason "the parser is done"';
    await baton.call('POST', `/api/agents/${agent.id}/messages`, { text: `[[practice:bash ${asked}]]` });
    await about(agent, 'handoff_requested');
    expect(await inbox()).toContainEqual(
      expect.objectContaining({
        agent_id: agent.id,
        sentence: expect.stringContaining('asks for a handoff: the parser is done'),
      }),
    );
    const token = baton.tokenOf(agent);
    const as = (path: string, body: object) => baton.call(`POST`, path, body, token);
    expect((await as(`/api/agents/${agent.id}/handoff`, {})).status).toBe(403);
    expect((await as(`/api/personas/${agent.persona?.slug}/handoff-policy`, { policy: AUTO })).status).toBe(403);
    expect((await as(`/api/agents/${agent.id}/handoff-policy`, { policy: AUTO })).status).toBe(403);
    expect((await as(`/api/projects/${agent.project.id}/handoff-policy`, { policy: AUTO })).status).toBe(403);
    expect((await as(`/api/agents/${agent.id}/countdown`, { action: 'snooze' })).status).toBe(403);
    expect((await baton.call('POST', '/api/handoff-request', { reason: 'x' })).status).toBe(403);
    expect(await runsOf(agent)).toEqual([]);
    await setPolicy(agent, AUTO);
    const done = await handedOff(agent.id);
    expect(done, done.failure?.sentence).toMatchObject({
      step: 'completed',
      begun_because: expect.stringContaining('the agent asked for it ("the parser is done")'),
    });
    await setPolicy(agent, null);
  });

  it('[H64] if Baton is killed during the countdown of an automatic handoff, the handoff is neither lost nor repeated', async () => {
    const agent = await baton.agent();
    await setPolicy(agent, { ...AUTO, countdown_seconds: 8 });
    await work(agent);
    await about(agent, 'countdown_began');
    await baton.kill();
    await baton.start();
    await about(agent, 'countdown_restarted');
    const done = await handedOff(agent.id);
    expect(done, done.failure?.sentence).toMatchObject({ step: 'completed', acknowledged: true });
    await setPolicy(agent, null);
    expect(await runsOf(agent)).toHaveLength(1);
    expect(baton.accepted(agent.id, '-instruction]')).toBe(1);
  });
});
