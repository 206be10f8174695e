import { describe, expect, it } from 'vitest';
import { stopAgent } from '../../src/app/agents/stop-agent.ts';
import { drainSpool } from '../../src/app/engine/drain-spool.ts';
import { createEffectRunner } from '../../src/app/engine/run-effects.ts';
import { requestHandoff } from '../../src/app/handoffs/request-handoff.ts';
import type { Fact } from '../../src/domain/facts.ts';
import { inboxEntriesForRun } from '../../src/domain/inbox/inbox.ts';
import { Turntable } from '../domain/handoffs/handoff-kit.ts';
import { SimWorld } from './engine/sim-world.ts';

/**
 * Tests the success criteria SC13 to SC16 (specification 002, section 3.2) and the handoff record of specification 000.
 * test/e2e/handoffs tests section 3.1.
 */

async function settle(sim: SimWorld): Promise<void> {
  const runner = createEffectRunner(sim.ports);
  for (let round = 0; round < 50; round++) {
    runner.wake();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await runner.stop();
}

/** Plays a handoff until the successor acknowledges it, as in test/app/inbox/operator.test.ts. */
async function handOver(sim: SimWorld, agentId: number, note?: string): Promise<void> {
  const submitted = (id: number, ref: string): Fact => ({
    type: 'prompt_submitted',
    agentId: id,
    promptId: 'p',
    ref,
    textHash: '',
    excerpt: '',
  });
  const stop = (id: number): Fact => ({ type: 'turn_ended', agentId: id, promptId: 'p', backgroundTasks: 0 });
  await requestHandoff(sim.ports, agentId, { reason: undefined, note });
  const { nonce } = sim.run();
  await settle(sim);
  await sim.record(submitted(agentId, `${nonce}-instruction`), stop(agentId));
  await settle(sim);
  await sim.record({ type: 'agent_process_gone', agentId, detail: 'its process has ended' });
  await settle(sim);
  const successor = sim.run().successorAgentId ?? 0;
  await sim.record({ type: 'session_started', agentId: successor, runtimeSessionId: 's', source: 'startup' });
  await settle(sim);
  await sim.record(submitted(successor, `${sim.agent(successor).sessionUuid.slice(0, 8)}-skill`), stop(successor));
  await settle(sim);
  await sim.record(submitted(successor, `${nonce}-injection`), stop(successor));
  await sim.record({ type: 'handoff_acknowledged', runId: 1, task: 'go on' });
  expect(sim.run().step).toBe('completed');
}

it('[000 Handoff record created] [001 DoD 6] [002 FR11] [S-15] the handoff record contains agent, reason, path and prompt', async () => {
  const sim = new SimWorld();
  await sim.addAgent();
  const { id } = await sim.addAgent();
  await requestHandoff(sim.ports, id, { reason: 'shift_end', note: undefined, review: true });
  await settle(sim);
  const submitted = { type: 'prompt_submitted', agentId: id, promptId: 'p', textHash: '', excerpt: '' } as const;
  await sim.record(
    { ...submitted, ref: `${sim.run().nonce}-instruction` },
    { type: 'turn_ended', agentId: id, promptId: 'p', backgroundTasks: 0 },
  );
  expect(sim.ports.store.read((tx) => tx.handoffs({ limit: 10 }))).toEqual([]);
  await settle(sim);
  const records = sim.ports.store.read((tx) => tx.handoffs({ limit: 10 }));
  expect(records).toMatchObject([
    { id: sim.run().handoffId, agentId: id, reason: 'shift_end', filePath: sim.run().document?.path },
  ]);
  const prompt = records[0]?.injectionPrompt ?? '';
  expect(prompt).toContain(`Con (agent ${id}, session ${sim.agent(id).sessionUuid.slice(0, 8)})`);
  expect(prompt).toContain(sim.run().document?.absolutePath);
});

describe('[002 SC13] failures of a handoff', () => {
  const checked = (verdict: 'missing' | 'empty'): Fact => ({ type: 'document_checked', runId: 7, result: { verdict } });
  const failures: readonly [string, () => Turntable][] = [
    ['no path for the document in time', () => new Turntable().wait(31_000)],
    ['an agent that keeps working', () => new Turntable({ state: 'working' }).upTo('requested').wait(11 * 60_000)],
    ['an instruction that the agent does not confirm', () => new Turntable().upTo('instructing').wait(31_000)],
    ['no document in time', () => new Turntable().upTo('awaiting_document').wait(11 * 60_000)],
    ['a missing document', () => new Turntable().upTo('verifying').fact(checked('missing'))],
    ['an empty document', () => new Turntable().upTo('verifying').fact(checked('empty'))],
    [
      'a successor that cannot start',
      () => new Turntable().upTo('recorded').fact({ type: 'successor_cannot_start', runId: 7, detail: 'no folder' }),
    ],
    ['an agent that does not exit', () => new Turntable().upTo('shutting_down').wait(31_000)],
    [
      'a start that fails',
      () =>
        new Turntable().upTo('creating_successor').fact({ type: 'agent_launch_failed', agentId: 2, detail: 'exit 1' }),
    ],
    ['a successor whose session does not begin', () => new Turntable().upTo('awaiting_registration').wait(91_000)],
    [
      'a skill that cannot be given to the successor',
      () => new Turntable().upTo('injecting_skill').fact({ type: 'priming_failed', agentId: 2, detail: 'unreadable' }),
    ],
  ];

  it.each(failures)('the failure "%s" is reported once, and the run stays failed', (_what, make) => {
    const table = make();
    const { failure } = table.run;
    expect(failure?.sentence).toMatch(/Con/);
    const errors = () => table.notices.filter(({ type }) => type === 'handoff_error');
    expect(errors()).toEqual([{ type: 'handoff_error', ...failure }]);
    expect(inboxEntriesForRun(table.run, table.world)).toMatchObject([
      { kind: 'failure', sentence: failure?.sentence },
    ]);
    const effects = table.effects.length;
    table.wait(30 * 60_000);
    expect([table.run.step, table.effects.length, errors().length]).toEqual(['failed', effects, 1]);
  });
});

it('[002 SC14] [002 NFR4] an agent without a persona cannot be handed over', async () => {
  const sim = new SimWorld();
  await sim.addAgent();
  const anonymous = await sim.addAgent({ personaId: null });
  const before = sim.agent(anonymous.id);
  expect(await requestHandoff(sim.ports, anonymous.id, { reason: undefined, note: undefined })).toMatchObject({
    code: 'agent_has_no_persona',
  });
  await handOver(sim, 1);
  expect(sim.agent(anonymous.id)).toEqual(before);
  expect(sim.typed.length).toBeGreaterThan(3);
  expect(sim.typed.filter(({ paneId }) => paneId === anonymous.pane?.paneId)).toEqual([]);
});

it('[002 SC15] an agent works and ends as usual while another agent is handed over', async () => {
  const life = async (isBesideHandoff: boolean) => {
    const sim = new SimWorld();
    const { id } = await sim.addAgent();
    await sim.addAgent();
    if (isBesideHandoff) await sim.handOver(2);
    await settle(sim);
    const states: unknown[] = [];
    const note = () => {
      const { state, stateReason, lastPrompt, isLeaving, endedAt } = sim.agent(id);
      states.push({ state, stateReason, lastPrompt, isLeaving, ended: endedAt !== null });
    };
    for (const [event, payload] of [
      ['UserPromptSubmit', { prompt_id: 'u', prompt: 'Write the parser.' }],
      ['Stop', { prompt_id: 'u' }],
      ['SessionStart', { session_id: 'cleared', source: 'clear' }],
    ] as const) {
      sim.hook(sim.agent(id), event, payload);
      await drainSpool(sim.ports);
      note();
    }
    await stopAgent(sim.ports, id, false);
    await settle(sim);
    note();
    await sim.record({ type: 'agent_process_gone', agentId: id, detail: 'its process has ended' });
    note();
    return { states, typed: sim.typed.filter(({ paneId }) => paneId === '%1').map(({ text }) => text) };
  };
  const alone = await life(false);
  expect(await life(true)).toEqual(alone);
  expect(alone.typed).toEqual(['/exit']);
  expect(alone.states.map((each) => (each as { state: string }).state)).toEqual([
    'working',
    'idle',
    'idle',
    'idle',
    'ended',
  ]);
});

it("[002 SC16] the prompts of a handoff are typed as plain text, whatever the operator's note contains", async () => {
  const sim = new SimWorld();
  await sim.addAgent({ lastPrompt: 'Mend \u001b[31mit\u0007\r\n now' });
  await handOver(sim, 1, 'by\u0000 hand\u001b]0;x\u0007');
  const typed = (what: string): string => sim.typed.find(({ id }) => id.includes(what))?.text ?? '';
  for (const text of [typed('-instruction'), typed('-injection')]) {
    expect(text).toContain(sim.run().document?.absolutePath);
    expect(text).toContain('by hand');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  }
  // Baton removes control characters before it stores a prompt, and types the stored prompt. The typed prompt must
  // therefore be the stored prompt, followed only by a reference.
  const record = sim.ports.store.read((tx) => tx.handoffOfAgent(1))?.injectionPrompt ?? '';
  expect(record).toContain('asked to do: Mend [31mit now');
  expect(typed('-injection')).toBe(`${record} [baton:${sim.run().nonce}-injection]`);
});
