import { describe, expect, it } from 'vitest';
import { drainSpool } from '../../../src/app/engine/drain-spool.ts';
import { interruptAgent } from '../../../src/app/engine/effects/interrupt-agent.ts';
import { createHealth } from '../../../src/app/engine/health.ts';
import { createReconciler } from '../../../src/app/engine/reconcile.ts';
import { createEffectRunner } from '../../../src/app/engine/run-effects.ts';
import { answerQuestion } from '../../../src/app/messages/answer-question.ts';
import { sendMessage } from '../../../src/app/messages/send-message.ts';
import type {
  ClientControl,
  ControlledSession,
  ControlStatus,
  GivenChoice,
} from '../../../src/app/ports/client-control.ts';
import type { DeliveryOutcome } from '../../../src/app/ports/terminal.ts';
import type { Agent } from '../../../src/domain/agents/agent.ts';
import { instantFromMs } from '../../../src/domain/instant.ts';
import { SimWorld } from './sim-world.ts';

/** A fake of a client's control API. */
class FakeControl implements ClientControl {
  status: ControlStatus | undefined = { status: 'idle', forMs: 1_000 };
  outcome: DeliveryOutcome = { verdict: 'typed', enters: 0 };
  readonly submitted: { readonly session: ControlledSession; readonly id: string; readonly text: string }[] = [];
  readonly interrupted: number[] = [];
  readStatus = async (_session: ControlledSession): Promise<ControlStatus | undefined> => this.status;
  submit = async (session: ControlledSession, { id, text }: { id: string; text: string }) => {
    this.submitted.push({ session, id, text });
    return this.outcome;
  };
  /**
   * The result that the fake API gives if Baton answers a question through it. Undefined means that the API does not
   * know the question.
   */
  answerOutcome: DeliveryOutcome | undefined;
  readonly answered: GivenChoice[] = [];
  answer = async (_: ControlledSession, given: GivenChoice) => {
    this.answered.push(given);
    return this.answerOutcome;
  };
  interrupt = async ({ agentId }: ControlledSession) => {
    this.interrupted.push(agentId);
    return undefined;
  };
}

const NEW: Partial<Agent> = {
  state: 'starting',
  stateReason: 'is being started',
  registeredAt: null,
  runtimeSessionId: null,
  clientPid: null,
  transcriptPath: null,
  priming: { status: 'none' },
};

async function scene(over: Partial<Agent> = {}) {
  const sim = new SimWorld();
  const control = new FakeControl();
  sim.fakeControl = control;
  sim.choosesSessionId = true;
  const agent = await sim.addAgent(over);
  const reconciler = createReconciler(sim.ports, createHealth(sim.ports));
  /**
   * Lets Baton reconcile twice with a pause between, because Baton accepts an observation only if the observation is
   * still true after a pause.
   */
  const look = async (ms = 600) => {
    await reconciler.look();
    sim.pass(ms);
    await reconciler.look();
  };
  return { sim, control, agent, look };
}

/** Resolves after the given number of turns of the event loop. */
async function afterTurns(turns: number): Promise<string> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
  return 'still waiting';
}

async function performEffects(sim: SimWorld): Promise<void> {
  const runner = createEffectRunner(sim.ports);
  for (let quiet = 0; quiet < 5; ) {
    runner.wake();
    await new Promise((resolve) => setImmediate(resolve));
    quiet = sim.ports.store.read((tx) => tx.pendingEffects().length) === 0 ? quiet + 1 : 0;
  }
}

describe('an agent whose client has a control API', () => {
  it("an agent gets the session id that its client's control API reports", async () => {
    const { sim, control, agent, look } = await scene(NEW);
    control.status = { status: 'idle', forMs: 1_000, sessionId: 'thread-1', transcriptPath: '/rollout' };
    await look();
    expect(sim.agent(agent.id)).toMatchObject({
      state: 'idle',
      runtimeSessionId: 'thread-1',
      transcriptPath: '/rollout',
      clientPid: null,
    });
    await performEffects(sim);
    expect(control.submitted.map(({ id }) => id)).toEqual([expect.stringMatching(/-skill$/)]);
    sim.hook(agent, 'UserPromptSubmit', { session_id: 'thread-1', prompt: 'x', prompt_id: 't1' }, { clientPid: 77 });
    sim.hook(agent, 'SessionStart', { session_id: 'thread-1', source: 'startup' }, { clientPid: 77 });
    await drainSpool(sim.ports);
    expect(sim.agent(agent.id)).toMatchObject({ state: 'working', clientPid: 77, runtimeSessionId: 'thread-1' });
  });

  it("an agent gets its skill even if every second request to its client's control API gets no answer", async () => {
    const { sim, control, agent, look } = await scene(NEW);
    sim.startsWithFirstPrompt = true;
    let asked = 0;
    control.readStatus = async () => (asked++ % 2 === 0 ? { status: 'idle', forMs: 1_000 } : undefined);
    await look();
    expect(sim.agent(agent.id)).toMatchObject({ state: 'idle', priming: { status: 'typing' } });
  });

  it('a slow control API of one agent does not delay the observation of another agent', async () => {
    const { sim, control, agent, look } = await scene();
    const other = await sim.addAgent({ state: 'working', rested: false });
    const answersOf = new Map<number, (status: ControlStatus) => void>();
    control.readStatus = ({ agentId }: ControlledSession) =>
      new Promise<ControlStatus>((resolve) => {
        answersOf.set(agentId, resolve);
        if (answersOf.size === 2) for (const answer of answersOf.values()) answer({ status: 'idle', forMs: 1_000 });
      });
    // The fake APIs of the two agents answer only after Baton has asked both APIs. Baton would wait forever if it asked
    // the second API only after the first API had answered.
    const done = await Promise.race([look(6_000).then(() => 'observed'), afterTurns(1_000)]);
    expect([done, [...answersOf.keys()].sort()]).toEqual(['observed', [agent.id, other.id].sort()]);
  });

  it("if the client's control API reports idle, the agent is idle even if Baton cannot read the agent's screen", async () => {
    const { sim, agent, look } = await scene({ state: 'working', rested: false });
    sim.screen = { kind: 'unknown', text: 'a new kind of line' };
    await look(6_000);
    expect(sim.agent(agent.id)).toMatchObject({
      state: 'idle',
      stateReason: 'its client reports through its API that it is idle',
    });
  });

  it("an agent counts as working while its client's control API reports a retry", async () => {
    const { sim, control, agent, look } = await scene();
    control.status = { status: 'retrying', doing: 'Rate limit reached, next attempt in 9 s' };
    await look();
    expect(sim.agent(agent.id)).toMatchObject({
      state: 'working',
      stateReason: 'Rate limit reached, next attempt in 9 s',
    });
  });

  it("if the client's control API reports the same context use twice, Baton records the context use once", async () => {
    const { sim, control, agent, look } = await scene();
    control.status = { status: 'idle', context: { usedPercent: 40, usedTokens: 40_000, windowTokens: 100_000 } };
    await look();
    await look();
    expect(sim.agent(agent.id).context).toMatchObject({ usedPercent: 40, usedTokens: 40_000 });
    expect(sim.notices('context_measured')).toHaveLength(1);
  });

  it('an agent is idle after a failed turn even if only the control API of its client reports the failure', async () => {
    const { sim, control, agent, look } = await scene({ state: 'working', rested: false, turnPromptId: 't1' });
    const lastTurn = { id: 't1', outcome: 'failed', error: 'stream disconnected' } as const;
    control.status = { status: 'idle', lastTurn };
    await look();
    await look();
    expect(sim.agent(agent.id)).toMatchObject({ state: 'idle', stateReason: 'its turn failed: stream disconnected' });
    expect(sim.notices('turn_failed')).toHaveLength(1);
  });

  it('if a usage limit ends the turn of an agent, the agent has the state "limited" and no current turn', async () => {
    const { sim, control, agent, look } = await scene({ state: 'working', rested: false, turnPromptId: 't1' });
    const limit = { words: 'try again at 6:00 AM', until: null, continuesItself: false };
    control.status = { status: 'idle', lastTurn: { id: 't1', outcome: 'failed', error: limit.words, limit } };
    sim.msPerReading = 1;
    await look();
    await look();
    expect(sim.agent(agent.id)).toMatchObject({ state: 'limited', rested: true, turnPromptId: null });
    expect(sim.notices('usage_limit_hit')).toHaveLength(1);
  });

  it('an agent stays limited while its screen shows the wait for the end of the usage limit', async () => {
    const limit = { words: 'limit', until: null, continuesItself: true, since: instantFromMs(0), isAwaited: false };
    const { sim, control, agent, look } = await scene({ state: 'limited', rested: true, limit });
    control.status = undefined;
    sim.screen = {
      kind: 'busy',
      doing: 'Usage limit reached · continuing automatically at 2:24am',
      waitsForLimit: true,
    };
    await look(6_000);
    await look(6_000);
    expect(sim.agent(agent.id)).toMatchObject({ state: 'limited', limit: { words: 'limit' } });
    expect(sim.notices('agent_seen_working')).toEqual([]);
  });

  it.each(['working', 'unknown', 'awaiting_input'] as const)(
    'an agent with the state "%s" becomes limited when its screen shows the wait for the end of a usage limit',
    async (state) => {
      const { sim, control, agent, look } = await scene({ state, rested: false });
      control.status = undefined;
      sim.screen = {
        kind: 'busy',
        doing: 'Usage limit reached · continuing automatically at 2:24am',
        waitsForLimit: true,
      };
      for (let times = 0; times < 3; times++) await look(6_000);
      expect(sim.notices('usage_limit_hit')).toHaveLength(1);
      expect(sim.agent(agent.id)).toMatchObject({
        state: 'limited',
        stateReason: 'Usage limit reached · continuing automatically at 2:24am',
        limit: { until: null, continuesItself: true },
      });
    },
  );

  it('an agent counts as working when its client reports work, although the screen still shows the wait for the end of a usage limit', async () => {
    const limit = { words: 'limit', until: null, continuesItself: true, since: instantFromMs(0), isAwaited: false };
    const { sim, control, agent, look } = await scene({ state: 'limited', rested: true, limit });
    control.status = { status: 'busy' };
    sim.screen = {
      kind: 'busy',
      doing: 'Usage limit reached · continuing automatically at 2:24am',
      waitsForLimit: true,
    };
    await look(6_000);
    expect(sim.agent(agent.id)).toMatchObject({ state: 'working', limit: null });
  });

  it("a message is delivered through the client's control API if the client has one", async () => {
    const { sim, control, agent } = await scene({ state: 'idle' });
    const sent = sendMessage(sim.ports, agent.id, 'go on');
    sim.hook(agent, 'UserPromptSubmit', { prompt: 'go on', prompt_id: 't9' });
    await new Promise((resolve) => setImmediate(resolve));
    await drainSpool(sim.ports);
    sim.prompts.push('go on');
    expect(await sent).toMatchObject({ verdict: 'accepted' });
    expect(control.submitted).toMatchObject([{ text: 'go on', session: { agentId: agent.id, agentFolder: '/a' } }]);
    expect(sim.typed).toEqual([]);
    expect(sim.notices('prompt_typed')).toMatchObject([{ outcome: { verdict: 'typed', by: 'api' } }]);
  });

  it("a message is typed into the pane if the client's control API does not answer", async () => {
    const { sim, control, agent } = await scene({ state: 'idle' });
    control.status = undefined;
    const sent = sendMessage(sim.ports, agent.id, 'go on');
    sim.hook(agent, 'UserPromptSubmit', { prompt: 'go on', prompt_id: 't9' });
    await new Promise((resolve) => setImmediate(resolve));
    await drainSpool(sim.ports);
    sim.prompts.push('go on');
    expect(await sent).toMatchObject({ verdict: 'accepted' });
    expect([control.submitted.length, sim.typed.map(({ text }) => text)]).toEqual([0, ['go on']]);
  });

  it.each([
    ['through the API if the API knows the question', { verdict: 'typed', enters: 0, by: 'api' } as const],
    ['by a digit in the pane if the API knows nothing of the question', undefined],
  ])("Baton gives the operator's answer to the client %s", async (_, byApi) => {
    const question = {
      id: 'q',
      text: 'Run it?',
      options: [
        { number: 1, label: 'Yes' },
        { number: 2, label: 'No' },
      ],
      takesText: false,
    };
    const { sim, control, agent } = await scene({ state: 'awaiting_input', question });
    control.answerOutcome = byApi;
    sim.outcome = { verdict: 'typed', enters: 1 };
    expect(await answerQuestion(sim.ports, agent.id, { question: 'q', choice: 2 })).toMatchObject({
      verdict: 'accepted',
    });
    expect(control.answered).toEqual([{ question: 'Run it?', choice: 2, labels: ['Yes', 'No'] }]);
    expect(sim.notices('answer_given')).toMatchObject([{ outcome: byApi ?? { verdict: 'typed', enters: 1 } }]);
  });

  it("an interrupt goes through the client's control API if that API reports work", async () => {
    const { sim, control, agent } = await scene({ state: 'working' });
    const interrupt = () =>
      interruptAgent(sim.ports, { kind: 'interrupt_agent', agentId: agent.id, runId: null } as never);
    control.status = { status: 'busy' };
    expect(await interrupt()).toMatchObject([{ type: 'agent_interrupted', refusal: null }]);
    control.status = undefined;
    await interrupt();
    expect(control.interrupted).toEqual([agent.id]);
  });

  it("[T17] Baton ignores the hooks of a client that runs inside the agent's client", async () => {
    const { sim, agent } = await scene({ runtimeSessionId: 'thread-1', clientPid: 50 });
    const panePid = sim.agent(agent.id).pane?.panePid ?? 0;
    sim.ancestors.set(51, [panePid, 1]);
    const prompt = (session_id: string, clientPid: number, prompt_id: string) =>
      sim.hook(agent, 'UserPromptSubmit', { session_id, prompt: 'x', prompt_id }, { clientPid });
    prompt('nested', 51, 'n1');
    await drainSpool(sim.ports);
    expect(sim.agent(agent.id)).toMatchObject({ state: 'idle', runtimeSessionId: 'thread-1' });
    prompt('thread-1', 51, 't1');
    await drainSpool(sim.ports);
    expect(sim.agent(agent.id)).toMatchObject({ state: 'working', turnPromptId: 't1' });
  });
});

describe('an agent whose session begins with its first prompt', () => {
  async function withoutApi() {
    const on = await scene(NEW);
    on.sim.fakeControl = undefined;
    on.sim.startsWithFirstPrompt = true;
    return on;
  }

  it('an agent gets its skill, even without any hook, after its screen has shown an empty composer twice', async () => {
    const { sim, agent, look } = await withoutApi();
    sim.screen = { kind: 'starting' };
    await look();
    expect(sim.agent(agent.id)).toMatchObject({ state: 'starting', registeredAt: null });
    sim.screen = { kind: 'ready' };
    await look();
    expect(sim.agent(agent.id)).toMatchObject({ state: 'idle', priming: { status: 'typing' } });
    await performEffects(sim);
    expect(sim.typed.map(({ id }) => id)).toEqual([expect.stringMatching(/-skill$/)]);
  });

  it.each([
    ['SessionStart', 'UserPromptSubmit'],
    ['UserPromptSubmit', 'SessionStart'],
  ] as const)('an agent counts as working after the hooks %s and %s', async (...order) => {
    const { sim, agent, look } = await withoutApi();
    await look();
    const payload = { session_id: 'thread-7', source: 'startup', prompt: 'x', prompt_id: 't1' };
    for (const event of order) sim.hook(agent, event, payload, { clientPid: 60 });
    await drainSpool(sim.ports);
    expect(sim.agent(agent.id)).toMatchObject({ state: 'working', runtimeSessionId: 'thread-7', clientPid: 60 });
    sim.hook(agent, 'UserPromptSubmit', { ...payload, session_id: 'nested', prompt_id: 'n' }, { clientPid: 61 });
    await drainSpool(sim.ports);
    expect(sim.agent(agent.id)).toMatchObject({ runtimeSessionId: 'thread-7', turnPromptId: 't1' });
  });

  it('an agent is waiting for the operator if its client shows a dialog before the first prompt', async () => {
    const { sim, agent, look } = await withoutApi();
    sim.screen = { kind: 'dialog', text: 'Trust this folder?' };
    await look();
    expect(sim.agent(agent.id)).toMatchObject({ state: 'awaiting_input', registeredAt: null });
  });
});
