import { describe, expect, it } from 'vitest';
import { startAgent } from '../../../src/app/agents/start-agent.ts';
import { drainSpool } from '../../../src/app/engine/drain-spool.ts';
import { createHealth } from '../../../src/app/engine/health.ts';
import { createReconciler } from '../../../src/app/engine/reconcile.ts';
import { createEffectRunner, type EffectRunner } from '../../../src/app/engine/run-effects.ts';
import { settleAbandonedMessages } from '../../../src/app/messages/send-message.ts';
import type { Ports } from '../../../src/app/ports/index.ts';
import type { Agent } from '../../../src/domain/agents/agent.ts';
import { newFirstPrompt } from '../../../src/domain/messages/first-prompt.ts';
import { isRefusal } from '../../../src/domain/refusals.ts';
import { SimWorld } from '../engine/sim-world.ts';

/**
 * Tests the prompt of `baton agent start --prompt`. Baton sends this prompt once, as soon as the agent is ready, and
 * always reports the outcome.
 */

const TEXT = 'build the parser';

const starting = (): Partial<Agent> => ({
  state: 'starting',
  registeredAt: null,
  priming: { status: 'none' },
  firstPrompt: newFirstPrompt(TEXT),
});

/** Performs all enqueued effects of the simulated world. */
async function work(ports: Ports): Promise<void> {
  const runner = createEffectRunner(ports);
  const pending = (): number => ports.store.read((tx) => tx.pendingEffects()).length;
  runner.wake();
  await expect.poll(pending).toBe(0);
  await runner.stop();
}

/** Lets the client accept every message immediately, as a real client does. */
function acceptMessages(sim: SimWorld, agent: Agent): void {
  const { deliver } = sim.ports.terminal;
  Object.assign(sim.ports.terminal, {
    deliver: async (...args: Parameters<typeof deliver>) => {
      const outcome = await deliver(...args);
      if (outcome.verdict !== 'typed') return outcome;
      sim.hook(agent, 'UserPromptSubmit', { prompt: args[1].text, prompt_id: 'p' });
      sim.hook(agent, 'Stop', { prompt_id: 'p' });
      await drainSpool(sim.ports);
      return outcome;
    },
  });
}

const sessionStarted = ({ id: agentId, sessionUuid: runtimeSessionId }: Agent) =>
  ({ type: 'session_started', agentId, runtimeSessionId, source: 'startup', skillGiven: 'x' }) as const;
const typedTexts = (sim: SimWorld): string[] => sim.typed.map(({ text }) => text).filter((text) => text === TEXT);

describe('[U6] the first prompt of an agent', () => {
  it('Baton sends the first prompt of an agent once, after the agent has its skill', async () => {
    const sim = new SimWorld();
    const agent = await sim.addAgent(starting());
    acceptMessages(sim, agent);
    await sim.record({ type: 'context_measured', agentId: agent.id, usedPercent: 1, usedTokens: 1, windowTokens: 2 });
    await work(sim.ports);
    expect(sim.agent(1).firstPrompt).toMatchObject({ status: 'waiting' });
    await sim.record(sessionStarted(agent));
    await work(sim.ports);
    expect(typedTexts(sim)).toEqual([TEXT]);
    expect(sim.agent(1).firstPrompt).toMatchObject({ status: 'accepted', text: null });
    await sim.record({ type: 'agent_said_idle', agentId: 1, promptId: null });
    await work(sim.ports);
    expect(typedTexts(sim)).toEqual([TEXT]);
    expect(sim.inbox()).toEqual([]);
  });

  it.each(['send_first_prompt:claimed', 'message:begun', 'message:typed'])(
    'if Baton is killed at %s, the restarted Baton does not send the first prompt of an agent a second time',
    async (point) => {
      const sim = new SimWorld();
      const agent = await sim.addAgent(starting());
      const runner = await new Promise<EffectRunner>((died) => {
        const checkpoint = (name: string) => {
          if (name !== point) return;
          died(killed);
          // Throw an error, so that the code after this point does not run, as after kill -9.
          throw new Error('killed');
        };
        Object.assign(sim.ports, { checkpoint });
        const killed = createEffectRunner(sim.ports);
        void sim.record(sessionStarted(agent)).then(() => killed.wake());
      });
      // Stop the runner, because a killed server takes no more effects from the queue.
      await runner.stop();
      const next = {
        ...sim.ports,
        checkpoint: () => undefined,
        settings: { ...sim.ports.settings, instance: 'the next one' },
      };
      await sim.ports.store.write((tx) => tx.releaseEffectsNotOf('the next one'));
      acceptMessages(sim, agent);
      await settleAbandonedMessages(next);
      await work(next);
      sim.pass(60_000);
      await createReconciler(next, createHealth(next)).look();
      expect(typedTexts(sim)).toHaveLength(point === 'message:begun' ? 0 : 1);
      // If the delivery of the prompt had begun before the kill, the prompt may have arrived. Baton must then report
      // the prompt as unconfirmed and must not send it a second time.
      expect(sim.agent(1).firstPrompt?.status).toBe(point === 'send_first_prompt:claimed' ? 'accepted' : 'unconfirmed');
      expect(sim.inbox()).toHaveLength(point === 'send_first_prompt:claimed' ? 0 : 1);
    },
  );

  it('Baton retries a refused first prompt and reports the last failure in the inbox', async () => {
    const sim = new SimWorld();
    const agent = await sim.addAgent(starting());
    sim.outcome = { verdict: 'refused', reason: 'busy', detail: 'its screen shows work' };
    await sim.record(sessionStarted(agent));
    await work(sim.ports);
    expect(sim.agent(1).firstPrompt).toMatchObject({ status: 'waiting', attempts: 1, text: TEXT });
    const reconciler = createReconciler(sim.ports, createHealth(sim.ports));
    for (let look = 0; look < 10; look += 1) {
      sim.pass(6_000);
      await reconciler.look();
      await work(sim.ports);
    }
    expect(sim.agent(1).firstPrompt).toMatchObject({ status: 'refused', attempts: 5 });
    expect(sim.inbox().map(({ sentence }) => sentence)).toEqual([
      expect.stringMatching(/^The first prompt of agent 1 \("build the parser"\) was not sent\. Nothing was typed/),
    ]);
    expect(sim.typed).toEqual([]);
  });

  it('if the agent ends or cannot get its skill, the first prompt is reported as not sent', async () => {
    for (const fact of [
      { type: 'agent_process_gone', agentId: 1, detail: 'its program ended' },
      { type: 'priming_failed', agentId: 1, detail: 'not accepted' },
    ] as const) {
      const sim = new SimWorld();
      await sim.addAgent({
        ...starting(),
        priming: { status: 'typing', ref: 'r', promptId: null, accepted: false, retryAt: null, told: false },
      });
      await sim.record(fact);
      expect(sim.agent(1).firstPrompt).toMatchObject({ status: 'refused' });
      expect(sim.notices('agent_warning').map(({ sentence }) => sentence)).toContainEqual(
        expect.stringContaining('The first prompt of agent 1 ("build the parser") was not sent.'),
      );
    }
  });

  it('the first prompt is not sent if a handoff began before the agent was ready', async () => {
    const sim = new SimWorld();
    await sim.addAgent({ firstPrompt: { ...newFirstPrompt(TEXT), status: 'due' } });
    await sim.handOver(1);
    await sim.ports.store.write((tx) =>
      tx.insertEffect({ kind: 'send_first_prompt', agentId: 1 }, sim.ports.clock.now()),
    );
    await work(sim.ports);
    expect(typedTexts(sim)).toEqual([]);
    expect(sim.agent(1).firstPrompt).toMatchObject({ status: 'refused', sentence: expect.stringContaining('handoff') });
  });

  it.each([
    ['   ', 'empty'],
    ['/clear', 'begins with "/"'],
    [`use the key sk-ant-api03-${'a1B2'.repeat(22)}-AA`, 'contains a secret'],
  ])('the start of an agent is refused if its first prompt is %j', async (prompt, why) => {
    const sim = new SimWorld();
    await sim.addAgent();
    const refused = await startAgent(sim.ports, { projectId: 1, personaSlug: null, prompt });
    expect(isRefusal(refused) && [refused.code, refused.sentence]).toEqual([
      'bad_request',
      expect.stringContaining(why),
    ]);
    expect(sim.ports.store.read((tx) => tx.agents({ limit: 9 }))).toHaveLength(1);
  });
});
