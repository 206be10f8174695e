import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Agent, HandoffDetail, HandoffSummary, InboxItem, Run } from '../../../src/contract/resources.ts';
import { BatonProcess } from '../../support/baton-process.ts';

/** Tests the operator's actions on a halted handoff, with real tmux, real SQLite and the practice agent. */
describe('actions of the operator on a handoff', () => {
  const baton = new BatonProcess();
  beforeAll(async () => void (await baton.start()));
  afterAll(() => baton.cleanUp());

  const trigger = async (agentId: number, body: object = {}): Promise<number> =>
    (await baton.call<{ run_id: number }>('POST', `/api/agents/${agentId}/handoff`, body)).body.run_id;
  const act = (runId: number, action: string, body: object = {}) =>
    baton.call<Run & { error: string; code: string }>('POST', `/api/runs/${runId}/${action}`, body);
  const inboxOf = async (runId: number): Promise<InboxItem[]> =>
    (await baton.get<{ items: InboxItem[] }>('/api/inbox')).items.filter(({ run_id }) => run_id === runId);
  /** Waits until an event that is newer than event `seq` ends the run. Returns the run. */
  const overAfter = async (runId: number, seq: number): Promise<Run> => {
    await baton.event(
      ({ run_id, type, data }) =>
        run_id === runId &&
        type === 'handoff_progress' &&
        ['completed', 'failed', 'cancelled'].includes(String(data.to)),
      seq,
    );
    return baton.get<Run>(`/api/runs/${runId}`);
  };
  const now = async (): Promise<number> => (await baton.get<{ last_seq: number }>('/api/health')).last_seq;

  it('[F26] [H38] if an agent ignored the instruction, the operator can have Baton type the instruction again', async () => {
    const agent = await baton.agent({ behaviour: { handoff: 'ignore' } });
    const runId = await trigger(agent.id);
    const failed = await baton.over(runId);
    expect(failed.actions.map(({ action }) => action)).toEqual(['instruct_again', 'check_again', 'adopt', 'cancel']);
    expect(await inboxOf(runId)).toMatchObject([{ kind: 'failure', sentence: failed.failure?.sentence }]);
    // [F30] After "check again", the run must fail a second time, because there is still no document at the expected
    // path.
    const before = await now();
    expect((await act(runId, 'check_again')).body.step).toBe('verifying');
    expect((await overAfter(runId, before)).step).toBe('failed');
    const seq = await now();
    expect((await act(runId, 'instruct_again')).status).toBe(200);
    const again = await overAfter(runId, seq);
    expect(again).toMatchObject({ step: 'failed', attempt: 2, failure: { code: 'document_missing' } });
    expect(baton.accepted(agent.id, '-instruction]')).toBe(1);
    expect(baton.accepted(agent.id, '-instruction-2]')).toBe(1);
  });

  it('[S-16] [F28] [H38] if the document is at a wrong path, the operator can adopt the file at that path', async () => {
    const agent = await baton.agent({ behaviour: { handoff: 'wrong_path' } });
    const runId = await trigger(agent.id);
    const failed = await baton.over(runId);
    expect(failed.failure?.code).toBe('document_missing');
    const outside = join(baton.home, 'elsewhere.md');
    writeFileSync(outside, 'x');
    expect(await act(runId, 'adopt', { file: outside })).toMatchObject({
      status: 400,
      body: { code: 'file_not_adoptable' },
    });
    const file = join(dirname(failed.document?.absolute_path ?? ''), 'my-handoff-notes.md');
    expect(failed.failure?.sentence).toContain(`New files since the instruction: ${file}`);
    expect(failed.failure?.hint).toContain(`baton handoff adopt ${runId} ${file}`);
    const seq = await now();
    expect((await act(runId, 'adopt', { file })).status).toBe(200);
    const run = await overAfter(runId, seq);
    expect(run.handoff_id, run.failure?.sentence).not.toBeNull();
    expect(run.warnings.join()).toContain(file);
    expect(readFileSync(run.document?.absolute_path ?? '')).toEqual(readFileSync(file));
    expect(await inboxOf(runId)).toEqual([]);
  });

  it('[F44] [H39] [H40] if an agent does not exit, a successor starts only after the agent is killed', async () => {
    await baton.restart({ deadlines_seconds: { shutting_down: 3 } });
    const agent = await baton.agent({ behaviour: { exit: 'ignore', successor: { exit: 'obey' } } });
    const runId = await trigger(agent.id);
    const failed = await baton.over(runId);
    expect(failed).toMatchObject({ failure: { code: 'did_not_exit' }, successor_agent_id: null });
    let seq = await now();
    await act(runId, 'retry');
    expect((await overAfter(runId, seq)).failure?.code).toBe('did_not_exit');
    expect(baton.evidence(agent.id).filter(({ type, text }) => type === 'command' && text === '/exit')).toHaveLength(2);
    seq = await now();
    expect((await act(runId, 'force_exit')).status).toBe(200);
    const run = await overAfter(runId, seq);
    expect(run, run.failure?.sentence).toMatchObject({ step: 'completed', acknowledged: true });
    expect(await baton.get<Agent>(`/api/agents/${agent.id}`)).toMatchObject({ state: 'ended' });
    await baton.restart();
  });

  it('[000 Successor creation fails] [002 FR16] if the successor of a run did not start, the operator can resume the run with another successor', async () => {
    const agent = await baton.agent({ behaviour: { successor: { startExit: 3 } } });
    const runId = await trigger(agent.id);
    const failed = await baton.over(runId);
    expect(failed.failure?.code).toBe('successor_failed');
    writeFileSync(join(agent.projectPath, '.practice.json'), '{"thinkMs":20}');
    const seq = await now();
    const { status } = await baton.call('POST', `/api/handoffs/${failed.handoff_id}/resume`, {});
    expect(status).toBe(200);
    const run = await overAfter(runId, seq);
    expect(run, run.failure?.sentence).toMatchObject({ step: 'completed', acknowledged: true });
    expect(run.successor_agent_id).not.toBe(failed.successor_agent_id);
    const record = await baton.get<HandoffDetail>(`/api/handoffs/${run.handoff_id}`);
    expect(record).toMatchObject({ agent_id: agent.id, file_path: run.document?.path, run: { id: runId } });
    expect(record.document_text).toContain('handoff-end:');
    const { handoffs } = await baton.get<{ handoffs: HandoffSummary[] }>(
      `/api/handoffs?persona=${agent.persona?.slug}`,
    );
    expect(handoffs).toMatchObject([{ id: run.handoff_id, run_id: runId, acknowledged: true }]);
    expect(await baton.call('POST', `/api/handoffs/${run.handoff_id}/resume`, {})).toMatchObject({ status: 409 });
  });

  it('[H42] until the operator approves the document, Baton does not ask the agent to exit, even after a restart', async () => {
    const agent = await baton.agent();
    const runId = await trigger(agent.id, { review: true });
    const item = await baton.event(
      ({ run_id, type, data }) => run_id === runId && type === 'inbox_opened' && data.kind === 'decision',
    );
    expect(item.data.hint).toContain(`baton handoff approve ${runId}`);
    await baton.event(({ run_id, type }) => run_id === runId && type === 'successor_can_start');
    await baton.kill();
    await baton.start();
    expect(await baton.get<Run>(`/api/runs/${runId}`)).toMatchObject({ step: 'recorded', deadline_at: null });
    expect(baton.evidence(agent.id).some(({ type }) => type === 'command')).toBe(false);
    await act(runId, 'approve');
    expect(await baton.over(runId)).toMatchObject({ step: 'completed', acknowledged: true, review: 'approved' });
  });

  it('[H43] after an undo, a new agent resumes the conversation of the predecessor', async () => {
    const agent = await baton.agent({ behaviour: { successor: { injection: 'ignore' } } });
    await baton.call('POST', `/api/agents/${agent.id}/messages`, { text: 'Do the next step of PLAN.md.' });
    await baton.ready(agent.id, true);
    const runId = await trigger(agent.id);
    await baton.step(runId, 'awaiting_acknowledgement');
    expect((await act(runId, 'undo')).body.step).toBe('undoing');
    const run = await baton.over(runId);
    expect(run).toMatchObject({ step: 'cancelled', brought_back_agent_id: expect.any(Number) });
    const back = await baton.ready(run.brought_back_agent_id ?? 0, true);
    expect(back).toMatchObject({ previous_agent_id: agent.id, persona: agent.persona, state: 'idle' });
    expect(await baton.get<Agent>(`/api/agents/${run.successor_agent_id}`)).toMatchObject({ state: 'ended' });
    // Baton must type nothing, because the resumed conversation already contains the skill and the task.
    expect(baton.evidence(back.id).filter(({ type }) => type === 'submitted')).toEqual([]);
    const next = await trigger(back.id);
    expect(next).toBeGreaterThan(runId);
    await baton.step(next, 'awaiting_acknowledgement');
  });

  it('[F31] [H44] if an agent died without a document, Baton writes a document for its successor', async () => {
    const agent = await baton.agent();
    expect(await baton.call('POST', `/api/agents/${agent.id}/succeed`, {})).toMatchObject({ status: 400 });
    await baton.call('POST', `/api/agents/${agent.id}/stop`, { force: true });
    await baton.event(({ agent_id, type }) => agent_id === agent.id && type === 'agent_process_gone');
    const { status, body } = await baton.call<{ run_id: number }>('POST', `/api/agents/${agent.id}/succeed`, {
      note: 'it was cut off',
    });
    expect(status).toBe(200);
    await baton.step(body.run_id, 'awaiting_acknowledgement');
    const run = await baton.get<Run>(`/api/runs/${body.run_id}`);
    expect(run).toMatchObject({ emergency: true, document: { marker_found: true } });
    const record = await baton.get<HandoffDetail>(`/api/handoffs/${run.handoff_id}`);
    expect(record.document_text).toContain('**Written by Baton, not by the agent.**');
    expect(record.document_text).toContain('> it was cut off');
    expect(baton.accepted(run.successor_agent_id ?? 0, 'emergency handoff')).toBe(1);
  });

  it('[F20] [H37] a handoff continues after the operator interrupts the working agent', async () => {
    const agent = await baton.agent();
    await baton.call('POST', `/api/agents/${agent.id}/messages`, {
      text: '[[practice:say I begin.]] [[practice:slow 600000]]',
    });
    await baton.event(
      ({ agent_id, type, data }) => agent_id === agent.id && type === 'agent_state_changed' && data.to === 'working',
    );
    const runId = await trigger(agent.id);
    await baton.step(runId, 'waiting_safe_point');
    const waiting = await baton.get<Run>(`/api/runs/${runId}`);
    expect(waiting.actions.map(({ action }) => action)).toEqual(['wait', 'interrupt', 'cancel']);
    expect(waiting.actions[1]?.confirm).toContain('This interrupts');
    await act(runId, 'interrupt');
    const run = await baton.over(runId);
    expect(run, run.failure?.sentence).toMatchObject({ step: 'completed', acknowledged: true });
    expect(baton.evidence(agent.id).filter(({ type }) => type === 'interrupted')).toHaveLength(1);
  });
});
