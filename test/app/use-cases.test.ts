import { describe, expect, it, vi } from 'vitest';
import { createGroupCommit } from '../../src/adapters/stores/group-commit.ts';
import { stopAgent } from '../../src/app/agents/stop-agent.ts';
import { restDoubts } from '../../src/app/engine/client/client-status.ts';
import { drainSpool } from '../../src/app/engine/drain-spool.ts';
import { launchAgent } from '../../src/app/engine/effects/launch-agent.ts';
import { createHealth } from '../../src/app/engine/health.ts';
import { createReconciler } from '../../src/app/engine/reconcile.ts';
import { createAgent } from '../../src/app/engine/record-facts.ts';
import { createEffectRunner } from '../../src/app/engine/run-effects.ts';
import { acknowledgeHandoff } from '../../src/app/handoffs/acknowledge-handoff.ts';
import { chooseRunAction } from '../../src/app/handoffs/choose-run-action.ts';
import { requestHandoff } from '../../src/app/handoffs/request-handoff.ts';
import { sendMessage } from '../../src/app/messages/send-message.ts';
import type { PaneIdentity } from '../../src/app/ports/terminal.ts';
import { paneTag } from '../../src/domain/agents/agent.ts';
import type { Fact } from '../../src/domain/facts.ts';
import { SimWorld } from './engine/sim-world.ts';

const submitted = (agentId: number, ref: string): Fact => ({
  type: 'prompt_submitted',
  agentId,
  promptId: 'p',
  ref,
  excerpt: '',
  textHash: '',
});
const stop = (agentId: number): Fact => ({ type: 'turn_ended', agentId, promptId: 'p', backgroundTasks: 0 });

/** Performs pending effects until none is left. */
async function settle(sim: SimWorld): Promise<void> {
  const runner = createEffectRunner(sim.ports);
  for (let quiet = 0; quiet < 5; ) {
    runner.wake();
    await new Promise((resolve) => setImmediate(resolve));
    quiet =
      sim.ports.store.read((tx) => tx.pendingEffects().length + tx.effectsClaimedBy('me').length) === 0 ? quiet + 1 : 0;
  }
  await runner.stop();
}

/** Creates a run that waits for its document: the agent has the instruction and has begun to write. */
async function awaitingDocument(): Promise<SimWorld> {
  const sim = new SimWorld();
  const agent = await sim.addAgent();
  const run = await sim.handOver(agent.id);
  await settle(sim);
  await sim.record(submitted(agent.id, `${run.nonce}-instruction`), {
    type: 'tool_used',
    agentId: agent.id,
    promptId: 'p',
    tool: 'Write',
    phase: 'began',
  });
  await settle(sim);
  expect(sim.run().step).toBe('awaiting_document');
  return sim;
}

/** Creates a run whose successor, agent 2, has received the handoff prompt. */
async function awaitingAcknowledgement(): Promise<SimWorld> {
  const sim = await awaitingDocument();
  await sim.record(stop(1));
  await settle(sim);
  await sim.record({ type: 'agent_process_gone', agentId: 1, detail: 'gone' });
  await settle(sim);
  await sim.record({
    type: 'session_started',
    agentId: 2,
    runtimeSessionId: sim.agent(2).sessionUuid,
    source: 'startup',
    transcriptPath: '/t',
  });
  await settle(sim);
  const { priming } = sim.agent(2);
  await sim.record(submitted(2, priming.status === 'typing' ? priming.ref : ''), stop(2));
  await settle(sim);
  await sim.record(submitted(2, `${sim.run().nonce}-injection`), {
    type: 'tool_used',
    agentId: 2,
    promptId: 'p',
    tool: 'Read',
    phase: 'began',
  });
  await settle(sim);
  expect(sim.run().step).toBe('awaiting_acknowledgement');
  return sim;
}

const lookFor = (sim: SimWorld) => {
  const health = createHealth(sim.ports);
  const reconciler = createReconciler(sim.ports, health);
  const look = async (ms = 1_000): Promise<void> => {
    sim.pass(ms);
    await reconciler.look();
    await settle(sim);
  };
  return { look, health };
};

describe('hooks', () => {
  it("[T16] hooks with another agent's token or an invalid token are ignored", async () => {
    const sim = new SimWorld();
    const agent = await sim.addAgent();
    const other = await sim.addAgent();
    sim.hook(agent, 'UserPromptSubmit', { prompt: 'x' }, { token: sim.ports.agentToken(other.sessionUuid) });
    sim.hook(agent, 'UserPromptSubmit', { prompt: 'x' }, { token: 'guess' });
    sim.hook(agent, 'UserPromptSubmit', { prompt: 'x' }, { agentId: 99 });
    await drainSpool(sim.ports);
    expect(sim.agent(agent.id)).toEqual(agent);
    expect(sim.hooks).toEqual([]);
    sim.hook(agent, 'UserPromptSubmit', { prompt: 'x' });
    await drainSpool(sim.ports);
    expect(sim.agent(agent.id).state).toBe('working');
  });

  it("[F41] [T17] Baton ignores the hooks of a session that runs inside the agent's session", async () => {
    const sim = new SimWorld();
    const agent = await sim.addAgent();
    for (const source of ['startup', 'compact']) sim.hook(agent, 'SessionStart', { session_id: 'nested', source });
    sim.hook(agent, 'Stop', { session_id: 'nested' });
    await drainSpool(sim.ports);
    expect(sim.agent(agent.id)).toEqual(agent);
  });

  it("[F41] [T17] hooks are accepted only from the process that began the agent's session", async () => {
    const sim = new SimWorld();
    const { id } = await sim.addAgent({ registeredAt: null, state: 'starting' });
    sim.hook(sim.agent(id), 'SessionStart', { source: 'startup' }, { clientPid: 40 });
    await drainSpool(sim.ports);
    const agent = sim.agent(id);
    expect(agent).toMatchObject({ state: 'idle', clientPid: 40 });
    for (const source of ['startup', 'resume', 'clear', 'compact'])
      sim.hook(agent, 'SessionStart', { session_id: 'nested', source }, { clientPid: 41 });
    // Baton must ignore the hooks of another process even if they have the agent's session id, as after a nested
    // `--resume`.
    sim.hook(agent, 'UserPromptSubmit', { prompt: 'x' }, { clientPid: 41 });
    sim.hook(agent, 'UserPromptSubmit', { prompt: 'x' }, { clientPid: null });
    await drainSpool(sim.ports);
    expect(sim.agent(id)).toEqual(agent);
    sim.hook(agent, 'SessionStart', { session_id: 'cleared', source: 'clear' }, { clientPid: 40 });
    await drainSpool(sim.ports);
    expect(sim.agent(id)).toMatchObject({ runtimeSessionId: 'cleared', clientPid: 40 });
  });

  it('[F40] after a /clear, Baton accepts hooks of the new session even if the session start hook was lost', async () => {
    const sim = new SimWorld();
    const agent = await sim.addAgent({ clientPid: 40, state: 'starting', registeredAt: null });
    sim.hook(agent, 'SessionStart', { source: 'startup' });
    const prompt = (session_id: string, prompt_id: string) =>
      sim.hook(agent, 'UserPromptSubmit', { session_id, prompt_id, prompt: prompt_id, transcript_path: '/new' });
    prompt('cleared', 'p1');
    await drainSpool(sim.ports);
    const heard = { state: 'working', runtimeSessionId: 'cleared', transcriptPath: '/new', turnPromptId: 'p1' };
    expect(sim.agent(agent.id)).toMatchObject(heard);
    sim.hook(agent, 'Stop', { session_id: 'cleared', prompt_id: 'p1' });
    prompt(agent.sessionUuid, 'p0');
    await drainSpool(sim.ports);
    expect(sim.agent(agent.id)).toMatchObject({ runtimeSessionId: 'cleared', transcriptPath: '/new' });
  });

  it('[T17] [F23] a late hook does not make an ended agent live again', async () => {
    const sim = new SimWorld();
    const agent = await sim.addAgent({ clientPid: 40 });
    await sim.record({ type: 'agent_process_gone', agentId: agent.id, detail: 'its process has ended' });
    const ended = sim.agent(agent.id);
    for (const source of ['startup', 'resume', 'clear', 'compact'])
      sim.hook(agent, 'SessionStart', { session_id: 'other', source }, { clientPid: 41 });
    await drainSpool(sim.ports);
    expect(sim.agent(agent.id)).toEqual(ended);
    sim.hook(agent, 'SessionStart', { session_id: 'cleared', source: 'clear' }, { clientPid: 40 });
    await drainSpool(sim.ports);
    expect(sim.agent(agent.id)).toEqual({ ...ended, runtimeSessionId: 'cleared' });
    expect(await sim.ports.store.read((tx) => tx.pendingEffects())).toEqual([]);
  });

  it('[F23] a repeated hook about a tool use does not make an idle agent count as working', async () => {
    const sim = new SimWorld();
    const agent = await sim.addAgent();
    const use = () => sim.hook(agent, 'PreToolUse', { prompt_id: 'p', tool_name: 'Bash', tool_use_id: 'u' });
    use();
    sim.hook(agent, 'Stop', { prompt_id: 'p' });
    await drainSpool(sim.ports);
    use();
    await drainSpool(sim.ports);
    expect(sim.agent(agent.id).state).toBe('idle');
  });

  it('[F23] a hook that is read a second time after a crash is ignored', async () => {
    const sim = new SimWorld();
    const agent = await sim.addAgent();
    sim.hook(agent, 'UserPromptSubmit', { prompt: 'x' });
    const again = [...sim.hooks];
    await drainSpool(sim.ports);
    await sim.record(stop(agent.id));
    sim.hooks = again;
    await drainSpool(sim.ports);
    expect(sim.agent(agent.id).state).toBe('idle');
  });
});

describe('the skill at the start of a session', () => {
  const begin = (sim: SimWorld, id: number, source: string, given: string | null) => {
    sim.hook(sim.agent(id), 'SessionStart', { source }, { given });
    return drainSpool(sim.ports);
  };
  const launched = async (sim: SimWorld): Promise<number> => {
    const agent = await sim.addAgent({ registeredAt: null, state: 'starting', priming: { status: 'none' } });
    await launchAgent(sim.ports, { kind: 'launch_agent', agentId: agent.id });
    return agent.id;
  };

  it('[H25] the agent gets its skill from the session start hook, and Baton types nothing', async () => {
    const sim = new SimWorld();
    sim.longestStart = 10_000;
    const id = await launched(sim);
    const [name = '', output = ''] = sim.sessionStart?.split('\n') ?? [];
    expect(name).toMatch(/^[0-9a-f]{16}$/);
    expect(JSON.parse(output).hookSpecificOutput).toMatchObject({
      hookEventName: 'SessionStart',
      additionalContext: expect.stringMatching(/^You are Con, developer\.[\s\S]*--- skill ---\nbe careful$/),
    });
    await begin(sim, id, 'startup', name);
    await settle(sim);
    expect(sim.agent(id).priming).toMatchObject({ status: 'done', warning: null });
    expect(sim.notices('session_started')).toEqual([expect.objectContaining({ skillGiven: name })]);
    for (const source of ['clear', 'compact']) await begin(sim, id, source, name);
    await settle(sim);
    expect([sim.typed, sim.notices('agent_warning')]).toEqual([[], []]);
  });

  it.each<[string, (sim: SimWorld) => unknown]>([
    ['is too long for the hook', (sim) => Object.assign(sim, { skill: 'x'.repeat(11_000) })],
    ['cannot be given by this runtime', (sim) => Object.assign(sim, { longestStart: 0 })],
    ['was prepared but not given', () => undefined],
  ])('[H25] Baton types a skill that %s, and warns if a later session lacks the skill', async (_why, prepare) => {
    const sim = new SimWorld();
    sim.longestStart = 10_000;
    prepare(sim);
    const id = await launched(sim);
    await begin(sim, id, 'startup', null);
    await settle(sim);
    expect(sim.typed.map(({ text }) => text)).toEqual([expect.stringContaining(`--- skill ---\n${sim.skill}`)]);
    const { priming } = sim.agent(id);
    await sim.record(submitted(id, priming.status === 'typing' ? priming.ref : ''), stop(id));
    await begin(sim, id, 'clear', null);
    await settle(sim);
    expect(sim.typed).toHaveLength(1);
    expect(sim.notices('agent_warning')).toEqual([
      { sentence: expect.stringMatching(/^Agent 1 started a new session \(clear\) without its skill/), until: 'ended' },
    ]);
  });

  it('the skill prepared for a session start is updated when the skill file changes', async () => {
    const sim = new SimWorld();
    sim.longestStart = 10_000;
    await launched(sim);
    const { look } = lookFor(sim);
    const first = sim.sessionStart;
    await look();
    expect(sim.sessionStart).toBe(first);
    sim.skill = 'be bold';
    await look();
    expect(sim.sessionStart).toContain('be bold');
    expect(sim.sessionStart?.split('\n')[0]).not.toBe(first?.split('\n')[0]);
    sim.skill = 'x'.repeat(11_000);
    await look();
    expect(sim.sessionStart).toBeUndefined();
    sim.skill = undefined;
    await look();
    expect(sim.sessionStart).toBeUndefined();
  });

  it('[H26] an agent is ready, with a warning, if its skill file is missing', async () => {
    const sim = new SimWorld();
    Object.assign(sim, { longestStart: 10_000, skill: undefined });
    const id = await launched(sim);
    await begin(sim, id, 'startup', null);
    await settle(sim);
    expect(sim.agent(id).priming).toMatchObject({ status: 'done', warning: expect.stringContaining('no skill.md') });
    expect(sim.notices('agent_warning')).toHaveLength(1);
  });

  it('while a dialog is open, Baton keeps trying to type the skill and warns once', async () => {
    const sim = new SimWorld();
    sim.outcome = { verdict: 'refused', reason: 'dialog', detail: 'a dialog is open: Trust this folder?' };
    const id = await launched(sim);
    await begin(sim, id, 'startup', null);
    await settle(sim);
    const { look } = lookFor(sim);
    for (let n = 0; n < 5; n++) await look();
    // Although Baton has tried the delivery several times, it must record the refusal only once.
    expect(sim.notices('prompt_typed')).toHaveLength(1);
    expect(sim.asked).toBeGreaterThan(3);
    expect(sim.notices('agent_warning')).toEqual([
      {
        sentence: expect.stringMatching(/^Agent 1 does not have its skill yet: a dialog is open: Trust this folder\?/),
        until: 'ended',
      },
    ]);
    sim.outcome = { verdict: 'typed', enters: 1 };
    for (let n = 0; n < 2; n++) await look();
    expect(sim.typed).toHaveLength(1);
  });
});

describe('an acknowledgment of a handoff', () => {
  it('[F23] if an acknowledgment with a wrong proof is read a second time, Baton gives no second warning', async () => {
    const sim = await awaitingAcknowledgement();
    sim.hook(sim.agent(2), 'Acknowledge', { run_id: 1, proof: 'guess', task: 't' });
    const again = [...sim.hooks];
    await drainSpool(sim.ports);
    sim.hooks = again;
    await drainSpool(sim.ports);
    expect(sim.notices('agent_warning').map(({ sentence }) => sentence)).toEqual([
      expect.stringContaining('does not match the document of handoff 1'),
    ]);
  });

  it('an acknowledgment is accepted only from the successor', async () => {
    const sim = await awaitingAcknowledgement();
    const stranger = await sim.addAgent();
    const proof = sim.run().endToken;
    expect(await acknowledgeHandoff(sim.ports, stranger, { runId: 1, proof, task: 't' })).toMatchObject({
      code: 'not_the_successor',
    });
    expect(await acknowledgeHandoff(sim.ports, sim.agent(1), { runId: 1, proof, task: 't' })).toMatchObject({
      code: 'not_the_successor',
    });
    expect(await acknowledgeHandoff(sim.ports, sim.agent(2), { runId: 1, proof: 'guess', task: 't' })).toMatchObject({
      code: 'wrong_proof',
    });
    expect(sim.run().step).toBe('awaiting_acknowledgement');
    const done = await acknowledgeHandoff(sim.ports, sim.agent(2), { runId: 1, proof, task: 't' });
    expect(done).toMatchObject({ step: 'completed', acknowledgement: { task: 't' } });
    expect(await acknowledgeHandoff(sim.ports, sim.agent(2), { runId: 1, proof, task: 'again' })).toEqual(done);
  });

  it('a late acknowledgment is accepted', async () => {
    const sim = await awaitingAcknowledgement();
    const { look } = lookFor(sim);
    for (let second = 0; second < 601; second++) await look();
    expect(sim.run()).toMatchObject({ step: 'completed', acknowledgement: null });
    expect(
      await acknowledgeHandoff(sim.ports, sim.agent(2), { runId: 1, proof: sim.run().endToken, task: 't' }),
    ).toMatchObject({ acknowledgement: { task: 't' } });
  });
});

describe('a handoff', () => {
  it('[002 NFR2] a handoff request is answered before Baton types anything', async () => {
    const sim = new SimWorld();
    const agent = await sim.addAgent();
    const answer = await requestHandoff(sim.ports, agent.id, { reason: undefined, note: undefined });
    expect(answer).toMatchObject({ id: 1, step: 'requested' });
    expect(sim.typed).toEqual([]);
    expect(sim.ports.store.read((tx) => tx.pendingEffects().map(({ effect }) => effect.kind))).toEqual([
      'prepare_document_place',
    ]);
    await settle(sim);
    expect(sim.run().step).toBe('instructing');
    expect(sim.typed).toHaveLength(1);
  });

  it('[F45] an agent in a handoff cannot get a message or a second handoff', async () => {
    const sim = await awaitingAcknowledgement();
    const typed = sim.typed.length;
    expect(await sendMessage(sim.ports, 2, 'hello')).toMatchObject({ code: 'agent_in_handoff', runId: 1 });
    expect(await stopAgent(sim.ports, 2, true)).toMatchObject({ code: 'agent_in_handoff', runId: 1 });
    expect(await requestHandoff(sim.ports, 2, { reason: undefined, note: undefined })).toMatchObject({
      code: 'handoff_in_progress',
      runId: 1,
    });
    expect(sim.typed).toHaveLength(typed);
  });

  it('[S-7] if Baton refuses an action during a handoff, the hint suggests a cancel only if the run can still be cancelled', async () => {
    const sim = new SimWorld();
    await sim.addAgent();
    await sim.handOver(1);
    const refusals = async (agentId: number) => [
      await stopAgent(sim.ports, agentId, false),
      await sendMessage(sim.ports, agentId, 'hello'),
    ];
    for (const refused of await refusals(1))
      expect(refused).toMatchObject({
        code: 'agent_in_handoff',
        hint: expect.stringContaining('baton handoff cancel 1'),
      });
    const late = await awaitingAcknowledgement();
    expect(await chooseRunAction(late.ports, { runId: 1, action: 'cancel' })).toMatchObject({
      code: 'action_not_possible',
    });
    for (const refused of [await stopAgent(late.ports, 2, true), await sendMessage(late.ports, 2, 'hello')])
      expect(refused).toMatchObject({
        code: 'agent_in_handoff',
        hint: 'That handoff can no longer be canceled. Wait for it: baton handoff watch 1',
      });
    expect(await stopAgent(late.ports, 1, false)).toMatchObject({ hint: expect.stringContaining('baton agent list') });
    await sim.ports.store.write((tx) => tx.saveAgent({ ...sim.agent(1), pane: null }));
    expect(await sendMessage(sim.ports, 1, 'hello')).toMatchObject({
      hint: expect.stringContaining('baton agent why 1'),
    });
  });

  it('after a handoff is cancelled, none of its pending actions is performed', async () => {
    const sim = new SimWorld();
    const agent = await sim.addAgent();
    await sim.handOver(agent.id);
    let prepared = 0;
    Object.assign(sim.ports.files, { prepareDocumentPlace: async () => void prepared++ });
    await chooseRunAction(sim.ports, { runId: 1, action: 'cancel' });
    await settle(sim);
    expect(prepared).toBe(0);
  });

  it('if a handoff is cancelled before the composer is ready, Baton types nothing', async () => {
    const sim = new SimWorld();
    const agent = await sim.addAgent();
    await sim.handOver(agent.id);
    sim.beforePaste = async () => void (await chooseRunAction(sim.ports, { runId: 1, action: 'cancel' }));
    await settle(sim);
    expect(sim.run().step).toBe('cancelled');
    expect(sim.typed).toEqual([]);
  });

  it.each<[string, (sim: SimWorld) => unknown]>([
    ['the project is gone', (sim) => Object.assign(sim, { notAProject: 'the folder is gone' })],
    ['the program is gone', (sim) => Object.assign(sim, { unavailable: 'not installed' })],
  ])('[H19] if %s, the handoff halts before Baton asks the agent to exit', async (_why, breakIt) => {
    const sim = await awaitingDocument();
    breakIt(sim);
    await sim.record(stop(1));
    await settle(sim);
    expect(sim.run()).toMatchObject({ failure: { code: 'successor_cannot_start' }, handoffId: 1 });
    expect(sim.typed.map(({ text }) => text)).not.toContain('/exit');
  });
});

describe('the periodic check of all agents', () => {
  it('[F10] agents are marked as lost when the tmux server is gone', async () => {
    const sim = new SimWorld();
    const [one, two] = [await sim.addAgent(), await sim.addAgent()];
    const { look } = lookFor(sim);
    sim.panes = { ...sim.panes, panes: sim.panes.panes.slice(1) };
    await look();
    expect([sim.agent(one.id).state, sim.agent(two.id).state]).toEqual(['ended', 'idle']);
    sim.panes = { server: { serverPid: 2, serverStartedAt: 9 }, panes: [] };
    await look();
    expect([sim.agent(one.id).state, sim.agent(two.id).state]).toEqual(['ended', 'lost']);
  });

  it('[F10] if the agent is lost while it exits, the run halts', async () => {
    const sim = await awaitingDocument();
    await sim.record(stop(1));
    await settle(sim);
    sim.panes = { server: undefined, panes: [] };
    await lookFor(sim).look();
    expect(sim.run()).toMatchObject({ failure: { code: 'agent_lost' }, successorAgentId: null });
  });

  it('[H13] [F29] a document counts as written only if it has its end marker and the agent is idle', async () => {
    const sim = await awaitingDocument();
    const { look } = lookFor(sim);
    sim.screen = { kind: 'busy' };
    sim.evidence = { fingerprint: 'a', markerFound: true };
    for (let n = 0; n < 5; n++) await look();
    expect(sim.run().step).toBe('awaiting_document');
    sim.screen = { kind: 'ready' };
    await sim.record({ type: 'agent_seen_idle', agentId: 1 });
    for (const [fingerprint, markerFound] of [
      ['b', false],
      ['b', true],
      ['c', true],
    ] as const) {
      sim.evidence = { fingerprint, markerFound };
      await look();
      expect(sim.run().step).toBe('awaiting_document');
    }
    await look(100);
    expect(sim.run().step).toBe('awaiting_document');
    await look();
    expect(sim.run().step).not.toBe('awaiting_document');
    expect(sim.run().handoffId).toBe(1);
  });

  it('[H31] a question counts as answered when the screen shows that the agent works, even without a hook', async () => {
    const sim = await awaitingDocument();
    await sim.record({ type: 'input_requested', agentId: 1, promptId: 'p', question: 'may I?' });
    const { look } = lookFor(sim);
    sim.screen = { kind: 'dialog', text: 'may I?' };
    for (let n = 0; n < 3; n++) await look();
    expect(sim.run().pausedAt).not.toBeNull();
    sim.screen = { kind: 'busy' };
    for (let n = 0; n < 3; n++) await look();
    expect(sim.agent(1).state).toBe('working');
    expect(sim.run().pausedAt).toBeNull();
  });

  it('[F22] the skill counts as delivered, even without a hook, if the transcript contains the skill prompt', async () => {
    const sim = new SimWorld();
    const agent = await sim.addAgent({
      priming: { status: 'typing', ref: 'abcd-skill', promptId: null, accepted: false, retryAt: null, told: false },
    });
    const { look } = lookFor(sim);
    await sim.record(stop(agent.id));
    for (let n = 0; n < 3; n++) await look();
    expect(sim.agent(agent.id).priming.status).toBe('typing');
    sim.transcript = '[baton:abcd-skill]';
    for (let n = 0; n < 6; n++) await look();
    expect(sim.agent(agent.id).priming.status).toBe('done');
  });

  it('[H47] a turn counts as ended if the client put the prompt back into the composer', async () => {
    for (const [text, shows] of [
      ['Write a handoff document. [baton:abcd-instruc\ntion]', 'its composer contains an unsent prompt from Baton'],
      ['half a thought', 'its screen shows unsent text and no work'],
    ] as const) {
      const sim = new SimWorld();
      const { id: agentId } = await sim.addAgent();
      const { look } = lookFor(sim);
      sim.screen = { kind: 'draft', text };
      for (let n = 0; n < 6; n++) await look();
      const before = sim.agent(agentId).stateReason;
      expect(before).not.toBe(shows);
      await sim.record({ type: 'prompt_submitted', agentId, promptId: 'p', ref: null, textHash: '', excerpt: '' });
      sim.status = { status: 'idle' };
      for (let n = 0; n < 3; n++) await look();
      expect(sim.agent(agentId)).toMatchObject({ state: 'idle', stateReason: shows });
    }
  });

  it('Baton detects an interrupted turn on the screen', async () => {
    for (const [interrupted, looks] of [
      [true, 2],
      [false, 6],
    ] as const) {
      const sim = new SimWorld();
      sim.endsInterrupted = true;
      const agent = await sim.addAgent();
      const { look } = lookFor(sim);
      sim.screen = { kind: 'busy' };
      await sim.record({
        type: 'prompt_submitted',
        agentId: agent.id,
        promptId: 'p',
        ref: null,
        textHash: '',
        excerpt: '',
      });
      await look(100);
      sim.screen = { kind: 'ready', interrupted };
      for (let n = 1; n < looks; n++) {
        await look();
        expect([interrupted, n, sim.agent(agent.id).state]).toEqual([interrupted, n, 'working']);
      }
      await look();
      expect(sim.agent(agent.id).state).toBe('idle');
    }
  });

  describe('evidence that an agent is idle', () => {
    const working = async () => {
      const sim = new SimWorld();
      const { id } = await sim.addAgent();
      await sim.record({ type: 'prompt_submitted', agentId: id, promptId: 'p', ref: null, textHash: '', excerpt: '' });
      return { sim, id, ...lookFor(sim) };
    };

    it('[H6] an empty composer on the screen is not enough to make a working agent idle', async () => {
      const { sim, id, look } = await working();
      for (let n = 0; n < 30; n++) await look();
      expect(sim.agent(id)).toMatchObject({
        state: 'unknown',
        stateReason: 'its screen shows an empty composer, but no hook has reported the end of its turn',
      });
      expect(sim.inbox().map(({ sentence }) => sentence)).toEqual([
        expect.stringMatching(/^Baton cannot tell whether .* is working or idle, so Baton types nothing: /),
      ]);
      await sim.record(stop(id));
      expect(sim.agent(id).state).toBe('idle');
      expect(sim.inbox()).toEqual([]);
    });

    it("[H6] the client's own status decides whether the agent is idle", async () => {
      const { sim, id, look } = await working();
      sim.status = { status: 'busy' };
      for (let n = 0; n < 30; n++) await look();
      expect(sim.agent(id).state).toBe('working');
      sim.status = { status: 'idle' };
      await look(140);
      sim.status = { status: 'busy' };
      await look();
      expect(sim.agent(id).state).toBe('working');
      sim.status = { status: 'shell' };
      for (let n = 0; n < 2; n++) await look();
      expect(sim.agent(id)).toMatchObject({ state: 'idle', stateReason: 'its client reports that it is idle' });
      sim.status = { status: 'busy' };
      for (let n = 0; n < 2; n++) await look();
      expect(sim.agent(id)).toMatchObject({ state: 'working', stateReason: 'its client reports that it is working' });
    });

    it('an agent is not idle while its screen shows an unrecognized line', async () => {
      const { sim, id, look } = await working();
      await sim.record(stop(id));
      sim.status = { status: 'idle' };
      sim.screen = { kind: 'unknown', text: '✻ Doing what nobody has seen' };
      for (let n = 0; n < 8; n++) await look();
      expect(sim.agent(id)).toMatchObject({
        state: 'unknown',
        stateReason: 'its screen shows a line that Baton does not recognize: ✻ Doing what nobody has seen',
      });
      sim.screen = { kind: 'ready' };
      for (let n = 0; n < 2; n++) await look();
      expect(sim.agent(id).state).toBe('idle');
    });

    it('an agent is idle again after the operator has closed a menu', async () => {
      const { sim, id, look } = await working();
      await sim.record(stop(id));
      for (const screen of [
        { kind: 'dialog', text: 'Select model' },
        { kind: 'unknown', text: '?' },
      ] as const) {
        sim.screen = screen;
        for (let n = 0; n < 8; n++) await look();
        expect(sim.agent(id).state).not.toBe('idle');
        sim.screen = { kind: 'ready' };
        for (let n = 0; n < 8; n++) await look();
        expect(sim.agent(id).state).toBe('idle');
      }
    });

    it('while the client waits for the end of a usage limit, the agent does not count as idle', async () => {
      const { sim, id, look } = await working();
      await sim.record({ type: 'turn_failed', agentId: id, promptId: 'p', error: "You've hit your 5-hour limit" });
      sim.status = { status: 'idle' };
      sim.screen = { kind: 'busy', doing: 'Usage limit reached · continuing automatically at 2:24am' };
      for (let n = 0; n < 3; n++) await look();
      expect(sim.agent(id)).toMatchObject({
        state: 'working',
        stateReason: 'Usage limit reached · continuing automatically at 2:24am',
      });
    });

    it('[H5] Baton types only if the last turn has ended and the client has reported idle for half a second', async () => {
      const { sim, id } = await working();
      const doubts = restDoubts(sim.ports, id);
      expect(await doubts()).toEqual({ reason: 'busy', detail: 'the agent is working' });
      await sim.record(stop(id));
      expect(await doubts()).toBeUndefined();
      sim.status = { status: 'busy' };
      expect(await doubts()).toEqual({ reason: 'busy', detail: 'the client reports that the agent is working' });
      sim.status = { status: 'idle' };
      expect(await doubts()).toMatchObject({ reason: 'busy' });
      sim.pass(499);
      expect(await doubts()).toMatchObject({ reason: 'busy' });
      sim.pass(1);
      expect(await doubts()).toBeUndefined();
      await sim.record({ type: 'agent_seen_unknown', agentId: id, line: '✻ Hm' });
      expect(await doubts()).toMatchObject({ reason: 'unknown', detail: expect.stringContaining('✻ Hm') });
    });

    it('[H5] Baton types at once if the client has already been idle for half a second', async () => {
      const { sim, id } = await working();
      await sim.record(stop(id));
      sim.status = { status: 'idle', forMs: 499 };
      expect(await restDoubts(sim.ports, id)()).toMatchObject({ reason: 'busy', forMs: 1 });
      sim.status = { status: 'idle', forMs: 500 };
      expect(await restDoubts(sim.ports, id)()).toBeUndefined();
      sim.status = { status: 'busy', forMs: 60_000 };
      expect(await restDoubts(sim.ports, id)()).toMatchObject({ reason: 'busy' });
    });

    it('a handoff waits while the operator has a draft in the composer', async () => {
      const sim = new SimWorld();
      await sim.addAgent();
      sim.screen = { kind: 'draft', text: 'half a thought' };
      sim.outcome = { verdict: 'refused', reason: 'draft', detail: 'there is unsent text in the composer' };
      await sim.handOver(1);
      const { look } = lookFor(sim);
      for (let n = 0; n < 20; n++) {
        await look();
        await settle(sim);
      }
      expect(sim.run().step).toBe('waiting_safe_point');
      const refusals = sim.notices('prompt_typed').length;
      expect(refusals).toBeLessThan(4);
      for (let n = 0; n < 50; n++) {
        await look();
        await settle(sim);
      }
      expect(sim.notices('prompt_typed')).toHaveLength(refusals);
      expect(sim.inbox().map(({ sentence }) => sentence)).toEqual([
        expect.stringMatching(/^Handoff 1 waits: the composer of .* contains unsent text: half a thought$/),
      ]);
      sim.screen = { kind: 'ready' };
      sim.outcome = { verdict: 'typed', enters: 1 };
      for (let n = 0; n < 5; n++) {
        await look();
        await settle(sim);
      }
      expect(sim.run().step).toBe('instructing');
      expect(sim.inbox()).toEqual([]);
    });

    it('[L23] a menu that the operator opened does not count as a question of the agent', async () => {
      const sim = new SimWorld();
      await sim.addAgent();
      await sim.record(stop(1));
      const { look } = lookFor(sim);
      sim.screen = { kind: 'dialog', text: 'Select model', isMenu: true };
      for (let n = 0; n < 4; n++) await look();
      expect(sim.inbox()).toEqual([]);
      sim.outcome = { verdict: 'refused', reason: 'dialog', detail: 'a menu is open' };
      await sim.handOver(1);
      for (let n = 0; n < 6; n++) await look();
      expect(sim.inbox().map(({ sentence }) => sentence)).toEqual([
        expect.stringMatching(/^Handoff 1 waits: .*Select model/),
      ]);
    });

    it.each([
      ['typed', 1],
      ['unconfirmed', 0],
      [null, 0],
    ] as const)(
      '[L12] if the composer contains an unsent message that Baton recorded with the outcome "%s", the inbox has %i items',
      async (outcome, notices) => {
        const sim = new SimWorld();
        await sim.addAgent();
        const text = 'Remember the word quince.';
        await sim.ports.store.write((tx) =>
          tx.savePromptText({ ref: 'm', agentId: 1, runId: null, purpose: 'message', text, outcome, at: null }),
        );
        sim.screen = { kind: 'draft', text };
        sim.outcome = { verdict: 'refused', reason: 'draft', detail: 'there is unsent text in the composer' };
        await sim.handOver(1);
        const { look } = lookFor(sim);
        for (let n = 0; n < 20; n++) {
          await look();
          await settle(sim);
        }
        expect(sim.run().step).toBe('waiting_safe_point');
        expect(sim.inbox()).toHaveLength(notices);
      },
    );
  });

  it.each(['panes', 'documents'] as const)(
    '[F9] the deadline of a run expires even if Baton cannot read the %s',
    async (part) => {
      const sim = await awaitingDocument();
      sim.broken.add(part);
      await sim.record({ type: 'agent_seen_idle', agentId: 1 });
      const { look, health } = lookFor(sim);
      for (let second = 0; second < 601; second++) await look();
      expect(sim.run().failure).toMatchObject({ code: 'document_timeout' });
      expect(health.current().join()).toContain('broken');
      expect(sim.notices('baton_trouble')).toHaveLength(1);
    },
  );

  it('[F35] setting the clock back by an hour does not keep an agent "working" for an hour', async () => {
    const sim = await awaitingDocument();
    const { look } = lookFor(sim);
    sim.screen = { kind: 'ready' };
    sim.endsInterrupted = true;
    expect(sim.agent(1).state).toBe('working');
    sim.nowMs -= 3_600_000;
    await look();
    expect(sim.agent(1).state).toBe('working');
    for (let n = 0; n < 4; n++) await look();
    expect(sim.agent(1).state).toBe('idle');
  });

  it('[F50] Baton warns once about an agent whose session never begins', async () => {
    const sim = new SimWorld();
    const agent = await sim.addAgent({ state: 'starting', registeredAt: null });
    const { look } = lookFor(sim);
    for (let n = 0; n < 5; n++) await look(30_000);
    expect(sim.agent(agent.id).stateReason).toContain('has not begun');
    expect(sim.notices('agent_warning')).toHaveLength(1);
  });
});

describe('force-ending an agent', () => {
  it('[F9] if tmux does not answer, Baton tries a forced stop only a limited number of times', async () => {
    const sim = new SimWorld();
    const agent = await sim.addAgent();
    const { end } = sim.ports.terminal;
    let tries = 0;
    const hangs = (times: number): void => {
      tries = 0;
      Object.assign(sim.ports.terminal, {
        end: async (pane: PaneIdentity) => {
          if (++tries <= times) throw new Error('tmux does not answer');
          return end(pane);
        },
      });
    };
    hangs(3);
    await stopAgent(sim.ports, agent.id, true);
    await settle(sim);
    expect([tries, sim.ended]).toEqual([4, [agent.pane?.paneId]]);
    hangs(Number.POSITIVE_INFINITY);
    await stopAgent(sim.ports, agent.id, true);
    await settle(sim);
    expect(tries).toBeLessThan(20);
  });
});

describe('a full disk', () => {
  it('[F6] if a full disk kept Baton from storing the result of an action, the action is performed again', async () => {
    const sim = await awaitingDocument();
    await sim.record(stop(1));
    const runner = createEffectRunner(sim.ports);
    const check = sim.ports.files.checkDocument;
    let checks = 0;
    Object.assign(sim.ports.files, {
      checkDocument: async (path: string, token: string) => {
        if (++checks === 1) sim.broken.add('store');
        return check(path, token);
      },
    });
    runner.wake();
    await runner.stop();
    expect(sim.run().step).toBe('verifying');
    sim.broken.clear();
    await settle(sim);
    expect(checks).toBe(2);
    expect(sim.run().handoffId).toBe(1);
  });

  it('[F6] a launch whose result could not be stored is finished before later actions are performed', async () => {
    const sim = await awaitingDocument();
    await sim.record(stop(1));
    await settle(sim);
    await sim.record({ type: 'agent_process_gone', agentId: 1, detail: 'gone' });
    const launch = sim.ports.terminal.launch;
    Object.assign(sim.ports.terminal, {
      launch: async (request: Parameters<typeof launch>[0]) => {
        sim.broken.add('store');
        return launch(request);
      },
    });
    const runner = createEffectRunner(sim.ports);
    runner.wake();
    await vi.waitFor(() => expect(sim.broken.size).toBe(1), { timeout: 120_000 });
    await runner.stop();
    expect(sim.agent(2).pane).toBeNull();
    Object.assign(sim.ports.terminal, { launch });
    sim.broken.clear();
    sim.hook(sim.agent(2), 'SessionStart', { source: 'startup', transcript_path: '/t' });
    await drainSpool(sim.ports);
    const points: string[] = [];
    Object.assign(sim.ports, { checkpoint: (point: string) => void points.push(point) });
    await settle(sim);
    expect(points.filter((point) => /:(?:claimed|committed)$/.test(point))).toEqual([
      'launch_agent:claimed',
      'launch_agent:committed',
      'prime_agent:claimed',
      'prime_agent:committed',
    ]);
    expect(sim.run()).toMatchObject({ step: 'injecting_skill', failure: null });
    expect(sim.agent(2).pane).not.toBeNull();
  });

  it('[F6] [F8] Baton types nothing while the store cannot be written', async () => {
    const sim = new SimWorld();
    const agent = await sim.addAgent();
    await sim.handOver(agent.id);
    sim.broken.add('store');
    const runner = createEffectRunner(sim.ports);
    const health = createHealth(sim.ports);
    const reconciler = createReconciler(sim.ports, health);
    for (let n = 0; n < 5; n++) {
      runner.wake();
      sim.pass(1_000);
      await reconciler.look();
    }
    expect(sim.typed).toEqual([]);
    expect(health.current()).toEqual(['Baton could not write to its store: disk full']);
    sim.broken.clear();
    await reconciler.look();
    expect(health.current()).toEqual([]);
    await runner.stop();
    await settle(sim);
    expect(sim.run()).toMatchObject({ step: 'instructing', failure: null });
    expect(sim.typed).toHaveLength(1);
  });

  it('[F5] if a commit fails, all writes of the commit are rejected', async () => {
    let rolledBack = 0;
    const group = createGroupCommit({
      isolated: (work) => work(),
      commit: () => {
        throw new Error('disk full');
      },
      rollback: () => void rolledBack++,
      committed: () => {
        throw new Error('must not be told');
      },
    });
    const results = await Promise.allSettled([group.add(() => 1), group.add(() => 2)]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(rolledBack).toBe(1);
  });
});

describe('a launch without an answer from tmux', () => {
  async function unanswered(): Promise<SimWorld> {
    const sim = new SimWorld();
    await sim.addAgent();
    await sim.ports.store.write((tx) =>
      createAgent(tx, sim.ports, { projectId: 1, personaId: 1, runtime: 'sim', previousAgentId: null }),
    );
    sim.launchProblem = 'unknown';
    await settle(sim);
    expect(sim.agent(2)).toMatchObject({ state: 'starting', pane: null });
    return sim;
  }
  const look = (sim: SimWorld) => createReconciler(sim.ports, createHealth(sim.ports)).look();

  it('[F9] [F38] if the answer to a launch was lost, Baton recognizes the agent by the tag of its pane', async () => {
    const sim = await unanswered();
    sim.hook(sim.agent(2), 'SessionStart', { source: 'startup' });
    await drainSpool(sim.ports);
    await settle(sim);
    expect(sim.typed).toEqual([]);
    const pane = sim.addPane(sim.agent(2).tmuxSession, paneTag(sim.agent(2)));
    await look(sim);
    expect(sim.agent(2)).toMatchObject({ state: 'idle', pane });
    sim.pass(1_500);
    await look(sim);
    await settle(sim);
    expect(sim.typed).toHaveLength(1);
  });

  it('[F9] if the answer to a launch was lost and tmux shows no pane of the agent, the launch fails', async () => {
    const sim = await unanswered();
    await look(sim);
    expect(sim.agent(2)).toMatchObject({
      state: 'ended',
      stateReason: 'the agent was never started, or ended at once',
    });
  });
});

it('[F54] if an agent never accepts its skill, Baton stops typing the skill and warns', async () => {
  const sim = new SimWorld();
  await sim.addAgent({ priming: { status: 'none' }, registeredAt: null, state: 'starting' });
  sim.hook(sim.agent(1), 'SessionStart', { source: 'startup' });
  await drainSpool(sim.ports);
  sim.outcome = { verdict: 'unconfirmed', detail: 'the composer still contains the text' };
  const { look } = createReconciler(sim.ports, createHealth(sim.ports));
  for (let minute = 0; minute < 4; minute++) {
    await settle(sim);
    await look();
    sim.pass(60_000);
  }
  expect(sim.agent(1).priming).toMatchObject({
    status: 'failed',
    detail: expect.stringContaining('did not accept it'),
  });
  const tries = sim.typed.length;
  await look();
  await settle(sim);
  expect(sim.typed).toHaveLength(tries);
  expect(sim.notices('agent_warning').at(-1)).toMatchObject({ sentence: expect.stringContaining('did not reach') });
});
