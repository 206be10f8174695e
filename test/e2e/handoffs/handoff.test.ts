import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Agent, HandoffSummary, InboxItem, Run } from '../../../src/contract/resources.ts';
import { BatonProcess } from '../../support/baton-process.ts';

/** Tests the product as it is installed: in its own process, with real tmux, real SQLite and the practice agent. */
describe('a handoff, end to end', () => {
  const baton = new BatonProcess();
  beforeAll(async () => void (await baton.start()));
  afterAll(() => baton.cleanUp());

  const trigger = (agentId: number, body: object = { reason: 'context_limit' }) =>
    baton.call<{ status: string; run_id: number; error: string }>('POST', `/api/agents/${agentId}/handoff`, body);
  const handOver = async (behaviour: object): Promise<{ agent: Agent; run: Run }> => {
    const agent = await baton.agent({ behaviour });
    const { body } = await trigger(agent.id);
    return { agent, run: await baton.over(body.run_id) };
  };

  it('[000 Valid handoff trigger] [000 Successor created] [001 DoD 1] [001 DoD 2] [001 DoD 8] [001 DoD 11] [002 FR6] [002 FR14] [002 FR15] [002 FR17] [002 FR19] after one handoff request, a successor with the same persona continues the work', async () => {
    const agent = await baton.agent();
    await baton.call('POST', `/api/agents/${agent.id}/messages`, { text: 'Do the next step of PLAN.md.' });
    await baton.event(
      (event) =>
        event.agent_id === agent.id && event.type === 'context_measured' && Number(event.data.usedPercent) > 20,
    );
    await baton.ready(agent.id, true);

    const answer = await trigger(agent.id);
    expect(answer).toMatchObject({ status: 200, body: { status: 'initiated' } });
    const run = await baton.over(answer.body.run_id);
    expect(run, run.failure?.sentence).toMatchObject({ step: 'completed', acknowledged: true, warnings: [] });

    // [000 Handoff instruction sent] [002 FR3] The agent's own log must show that the agent got the instruction.
    const instruction =
      baton.evidence(agent.id).find(({ type, text }) => type === 'submitted' && text?.includes('-instruction]'))
        ?.text ?? '';
    expect(run.document?.path).toMatch(
      new RegExp(
        `^data/personas/${agent.persona?.slug}/handoffs/\\d{8}T\\d{6}-${agent.session_uuid.slice(0, 8)}\\.md$`,
      ),
    );
    expect(instruction).toContain(run.document?.absolute_path);
    for (const part of ['working on', 'progress', 'decisions', 'Blockers', 'Files you modified', 'Next steps'])
      expect(instruction).toContain(part);

    // [000 Successor created] [002 FR15] The predecessor must have ended, and the successor must have the same persona,
    // project and runtime.
    const [before, after] = await Promise.all(
      [agent.id, run.successor_agent_id].map((id) => baton.get<Agent>(`/api/agents/${id}`)),
    );
    expect(before).toMatchObject({ state: 'ended', ended_at: expect.any(String) });
    expect(after).toMatchObject({
      previous_agent_id: agent.id,
      persona: agent.persona,
      project: agent.project,
      runtime: agent.runtime,
    });

    // [000 Sequenced delivery] [002 FR17] [002 FR18] [002 FR19] The successor must have got the skill first and the
    // prompt second, each once, and must have read the document.
    const heard = baton.evidence(after?.id ?? 0);
    const order = heard
      .filter(({ type }) => type === 'submitted')
      .map(({ text }) => (text?.includes('-skill]') ? 'skill' : text?.includes('-injection]') ? 'injection' : 'other'));
    expect(order).toEqual(['skill', 'injection']);
    const prompt = heard.find(({ type, text }) => type === 'submitted' && text?.includes('-injection]'))?.text ?? '';
    expect(prompt).toContain(`agent ${agent.id}, session ${agent.session_uuid.slice(0, 8)}`);
    expect(prompt).toContain(run.document?.absolute_path);
    expect(heard.some(({ type, name }) => type === 'tool' && name === 'Read')).toBe(true);
    expect(baton.accepted(agent.id, '-instruction]')).toBe(1);

    // [000 Graceful shutdown] The agent must have exited because of /exit.
    expect(baton.evidence(agent.id).some(({ type, text }) => type === 'command' && text === '/exit')).toBe(true);

    // The stored document must be in a file that is named by the document's hash and that only the owner can read.
    const kept = join(baton.home, 'documents', `${run.document?.sha256}.md`);
    expect(readFileSync(kept)).toEqual(readFileSync(run.document?.absolute_path ?? ''));
    expect(statSync(kept).mode & 0o777).toBe(0o400);
  });

  it.each([
    [
      '[000 Stop hook with handoff file missing] [001 DoD 5] [001 DoD 12] [002 NFR1] [F26]',
      'ignore',
      'document_missing',
    ],
    ['[000 Stop hook with empty handoff file]', 'empty', 'document_empty'],
    ['[F32] [T11] a link', 'symlink', 'document_reached_through_link'],
    ['[T12] too large', 'huge', 'document_too_large'],
    ['[F28] the wrong path', 'wrong_path', 'document_missing'],
  ])('if the document is unusable (%s), the run halts and reports the error', async (_name, handoff, code) => {
    const { agent, run } = await handOver({ handoff });
    expect(run).toMatchObject({
      step: 'failed',
      handoff_id: null,
      successor_agent_id: null,
      failure: { at: 'verifying', code },
    });
    // [000 Error notification] [002 NFR1] The event stream must report the error, with a hint about what to do.
    const told = await baton.event((event) => event.run_id === run.id && event.type === 'handoff_error');
    expect(told.data).toMatchObject({
      code,
      sentence: expect.stringContaining(`Con (agent ${agent.id})`),
      hint: expect.stringContaining('baton handoff'),
    });
    expect(await baton.get<Agent>(`/api/agents/${agent.id}`)).toMatchObject({ state: 'idle', ended_at: null });
    // [002 FR9] The failed handoff has no record, so Baton must allow the operator to request the handoff again.
    expect((await trigger(agent.id)).status).toBe(200);
  });

  it('[S-5] [H16] Baton appends a missing end marker to the document, with a warning', async () => {
    const { run } = await handOver({ handoff: 'no_marker' });
    expect(run, run.failure?.sentence).toMatchObject({ step: 'completed', acknowledged: true });
    expect(run.document).toMatchObject({ marker_found: false });
    expect(run.warnings.join()).toContain('Baton appended the marker');
  });

  it('[H13] [F31] if the agent crashes before its document is written, the run fails', async () => {
    const { run } = await handOver({ handoff: 'crash' });
    expect(run.failure).toMatchObject({ code: 'document_missing' });
    expect(run.failure?.sentence).toContain('is gone');
  });

  it('[H13] [F22] if the document is finished but no Stop hook arrives, the run completes with a warning', async () => {
    const { run } = await handOver({ dropHooks: ['Stop'], successor: { dropHooks: [] } });
    expect(run, run.failure?.sentence).toMatchObject({ step: 'completed', acknowledged: true });
    expect(run.warnings.join()).toContain('no Stop hook arrived');
  });

  it('[H13] [F22] Baton notices a finished document at once, not only at the next periodic check', async () => {
    const rare = new BatonProcess({ reconcile_every_ms: 5_000 });
    await rare.start();
    try {
      const agent = await rare.agent({ behaviour: { dropHooks: ['Stop'] } });
      const { body } = await rare.call<{ run_id: number }>('POST', `/api/agents/${agent.id}/handoff`, {});
      const verifying = await rare.step(body.run_id, 'verifying');
      const run = await rare.get<Run>(`/api/runs/${body.run_id}`);
      const writtenMs = statSync(run.document?.absolute_path ?? '').mtimeMs;
      // Baton must notice the document within 8 s, even on a busy machine. Reconcile alone would need 10 s: it must see
      // the idle agent twice, and then the document twice.
      expect(Date.parse(verifying.at) - writtenMs).toBeLessThan(8_000);
    } finally {
      await rare.cleanUp();
    }
  });

  it("[H14] [F53] if the agent's context is compacted while the agent writes its document, the run records the compaction", async () => {
    const { run } = await handOver({ handoff: 'compact' });
    expect(run).toMatchObject({ step: 'completed', compacted_since_instruction: true });
  });

  it("[F19] Baton shows an agent's permission dialog but does not answer it", async () => {
    const agent = await baton.agent({ behaviour: { handoff: 'dialog' } });
    const { body } = await trigger(agent.id);
    await baton.event((event) => event.agent_id === agent.id && event.type === 'input_requested');
    expect(await baton.get<Agent>(`/api/agents/${agent.id}`)).toMatchObject({
      state: 'awaiting_input',
      state_reason: expect.stringContaining('permission'),
    });
    expect(await baton.get<Run>(`/api/runs/${body.run_id}`)).toMatchObject({ step: 'awaiting_document' });
    expect(baton.evidence(agent.id).filter(({ type }) => type === 'dialog_answered')).toEqual([]);
    expect(await baton.call('POST', `/api/runs/${body.run_id}/cancel`, {})).toMatchObject({
      status: 200,
      body: { step: 'cancelled' },
    });
  });

  it('[000 Successor creation fails] [002 FR16] [002 NFR3] [S-15] after a failed start of the successor, a second handoff request creates no second handoff record', async () => {
    const { agent, run } = await handOver({ successor: { startExit: 3 } });
    expect(run).toMatchObject({
      step: 'failed',
      failure: {
        code: 'successor_failed',
        sentence: expect.stringMatching(
          /could not be started: (the program ended at once|its process has ended) with exit code 3/,
        ),
      },
      handoff_id: expect.any(Number),
    });
    const { items } = await baton.get<{ items: InboxItem[] }>('/api/inbox');
    expect(items.find(({ run_id }) => run_id === run.id)?.sentence).toContain('could not be started');
    expect(existsSync(run.document?.absolute_path ?? '')).toBe(true);
    // [002 NFR3] A second request must not create a second record.
    expect(await trigger(agent.id)).toMatchObject({
      status: 409,
      body: { error: 'Handoff already in progress', run_id: run.id },
    });
    const { handoffs } = await baton.get<{ handoffs: HandoffSummary[] }>(
      `/api/handoffs?persona=${agent.persona?.slug}`,
    );
    expect(handoffs).toMatchObject([{ id: run.handoff_id, agent_id: agent.id }]);
  });

  it('[H20] [F44] if the agent ignores /exit, no successor starts', async () => {
    const slow = new BatonProcess({ deadlines_seconds: { shutting_down: 2 } });
    await slow.start();
    try {
      const agent = await slow.agent({ behaviour: { exit: 'ignore' } });
      const { body } = await slow.call<{ run_id: number }>('POST', `/api/agents/${agent.id}/handoff`, {});
      const run = await slow.over(body.run_id);
      expect(run).toMatchObject({
        failure: { code: 'did_not_exit' },
        successor_agent_id: null,
        handoff_id: expect.any(Number),
      });
      expect(await slow.get<Agent>(`/api/agents/${agent.id}`)).toMatchObject({ state: 'idle' });
    } finally {
      await slow.cleanUp();
    }
  });

  it('[H5] [F20] while an agent works, Baton types nothing into it', async () => {
    const agent = await baton.agent();
    await baton.call('POST', `/api/agents/${agent.id}/messages`, { text: 'Look around. [[practice:slow 1500]]' });
    await baton.event(
      (event) => event.agent_id === agent.id && event.type === 'prompt_submitted' && event.data.ref === null,
    );
    const { body } = await trigger(agent.id);
    const run = await baton.over(body.run_id);
    expect(run).toMatchObject({ step: 'completed', acknowledged: true });
    const log = baton
      .evidence(agent.id)
      .map(({ type, text }) =>
        type === 'turn_ended' ? 'stop' : type === 'paste' && text?.includes('-instruction]') ? 'instruction' : '',
      );
    expect(log.filter(Boolean).slice(-3)).toEqual(['stop', 'instruction', 'stop']);
  });

  it('[F33] if eight handoff requests arrive at the same time, only one starts a run', async () => {
    const agent = await baton.agent();
    const answers = await Promise.all(Array.from({ length: 8 }, () => trigger(agent.id)));
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    const lost = answers.filter(({ status }) => status === 409);
    expect(lost).toHaveLength(7);
    for (const { body } of lost)
      expect(body).toMatchObject({ error: 'Handoff already in progress', run_id: won[0]?.body.run_id });
    expect(await baton.over(won[0]?.body.run_id ?? 0)).toMatchObject({ step: 'completed' });
    expect(baton.accepted(agent.id, '-instruction]')).toBe(1);
  });

  it('[000 Agent already ended] a handoff is refused for an agent that has ended', async () => {
    const agent = await baton.agent();
    await baton.call('POST', `/api/agents/${agent.id}/stop`, {});
    await baton.event((event) => event.agent_id === agent.id && event.type === 'agent_process_gone');
    expect(await trigger(agent.id)).toMatchObject({ status: 400, body: { error: 'Agent is not active' } });
  });

  it('[000 Agent without persona] [002 NFR4] a handoff is refused for an agent without a persona', async () => {
    const agent = await baton.agent({ persona: false });
    expect(await trigger(agent.id)).toMatchObject({ status: 400, body: { error: 'Agent has no persona' } });
    expect(baton.evidence(agent.id).filter(({ type }) => type === 'paste')).toEqual([]);
  });
});
