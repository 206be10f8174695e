import { describe, expect, it } from 'vitest';
import { createHealth } from '../../../../src/app/engine/health.ts';
import { createReconciler } from '../../../../src/app/engine/reconcile.ts';
import { createEffectRunner } from '../../../../src/app/engine/run-effects.ts';
import { askForHandoff } from '../../../../src/app/handoffs/policy/ask-for-handoff.ts';
import { changeCountdown } from '../../../../src/app/handoffs/policy/change-countdown.ts';
import { setAgentPolicy, setPersonaPolicy, setProjectPolicy } from '../../../../src/app/handoffs/policy/set-policy.ts';
import { requestHandoff } from '../../../../src/app/handoffs/request-handoff.ts';
import { dismissInboxItem } from '../../../../src/app/inbox/dismiss-inbox-item.ts';
import { restoreInboxItem } from '../../../../src/app/inbox/restore-inbox-item.ts';
import type { Agent } from '../../../../src/domain/agents/agent.ts';
import type { Fact } from '../../../../src/domain/facts.ts';
import type { GitFacts } from '../../../../src/domain/handoffs/document/git-facts.ts';
import { autoOf } from '../../../../src/domain/handoffs/policy/auto-handoff.ts';
import { DEFAULT_POLICY, type HandoffPolicy } from '../../../../src/domain/handoffs/policy/policy.ts';
import { SimWorld } from '../../engine/sim-world.ts';

const AUTO: HandoffPolicy = { ...DEFAULT_POLICY, mode: 'auto' };
const full = (agentId: number, usedPercent = 85): Fact => ({
  type: 'context_measured',
  agentId,
  usedPercent,
  usedTokens: null,
  windowTokens: null,
});
const prompted = (agentId: number): Fact => ({
  type: 'prompt_submitted',
  agentId,
  promptId: 'p1',
  ref: null,
  textHash: '',
  excerpt: 'go on',
});
const stopped = (agentId: number): Fact => ({ type: 'turn_ended', agentId, promptId: 'p1', backgroundTasks: 0 });
const edited = (agentId: number): Fact => ({
  type: 'tool_used',
  agentId,
  promptId: 'p1',
  tool: 'Edit',
  phase: 'ended',
  edits: true,
});

/**
 * A world with an idle agent. The agent's context use is above the threshold, and its persona has the policy `auto`.
 */
class Scene {
  readonly sim = new SimWorld();
  private reconciler = this.restarted();

  private restarted() {
    return createReconciler(this.sim.ports, createHealth(this.sim.ports));
  }

  /**
   * Replaces the reconciler by a new one, as a restart of Baton does. Only the data in the store survives the restart.
   */
  restart(): void {
    this.reconciler = this.restarted();
  }

  async begin(policy: HandoffPolicy | null = AUTO, over: Partial<Agent> = {}): Promise<this> {
    await this.sim.addAgent(over);
    if (policy !== null) await setPersonaPolicy(this.sim.ports, 'developer-con-1', policy);
    await this.sim.record(prompted(1), stopped(1), full(1));
    return this;
  }

  /** Lets the given time pass in steps of two seconds, and reconciles after each step. */
  async pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 2_000) {
      this.sim.pass(Math.min(2_000, ms - passed));
      await this.reconciler.look();
    }
  }

  look(): Promise<void> {
    return this.reconciler.look();
  }

  countdown() {
    return autoOf(this.sim.agent(1)).countdown;
  }

  runs() {
    return this.sim.ports.store.read((tx) => tx.runs({ limit: 10 }));
  }

  history() {
    return this.sim.ports.store.read((tx) => tx.settledInboxItems({ limit: 20 }));
  }
}

const scene = (...given: Parameters<Scene['begin']>): Promise<Scene> => new Scene().begin(...given);

describe('an automatic handoff', () => {
  it('[H59] an automatic handoff begins after the idle time and the countdown, and records its reason', async () => {
    const at = await scene();
    await at.pass(58_000);
    expect(at.countdown()).toBeNull();
    await at.pass(4_000);
    expect(at.countdown()).toMatchObject({ trigger: 'threshold' });
    expect(at.sim.inbox()).toMatchObject([
      {
        kind: 'decision',
        cause: { of: 'agent', what: 'countdown' },
        hint: expect.stringContaining('baton policy cancel 1'),
      },
    ]);
    await at.pass(116_000);
    expect(at.runs()).toEqual([]);
    await at.pass(4_000);
    expect(at.runs()).toMatchObject([
      {
        agentId: 1,
        reason: 'context_limit',
        askedBecause: null,
        review: 'not_wanted',
        begunBecause: expect.stringContaining('the context use is 85 %'),
      },
    ]);
    expect(at.countdown()).toBeNull();
  });

  it('[H59] the inbox history and the log contain the reason of an automatic handoff', async () => {
    const at = await scene();
    await at.pass(190_000);
    expect(at.history()).toMatchObject([
      {
        cause: { what: 'countdown' },
        resolution: expect.stringContaining('Baton began the handoff by itself: the context'),
      },
    ]);
    expect(at.sim.notices('auto_handoff_begun')).toHaveLength(1);
  });

  it('[H58] the default handoff policy suggests a handoff but does not begin one', async () => {
    const at = await scene(null);
    await at.pass(400_000);
    expect(at.runs()).toEqual([]);
    expect(at.sim.inbox()).toMatchObject([{ cause: { what: 'near-threshold' } }]);
  });

  it('[H58] Baton neither begins nor suggests a handoff if the policy is "off"', async () => {
    const at = new Scene();
    await at.sim.addAgent();
    await setProjectPolicy(at.sim.ports, 1, { ...DEFAULT_POLICY, mode: 'off' });
    await at.sim.record(full(1));
    await at.pass(10_000);
    expect(at.sim.inbox()).toEqual([]);
  });

  it('[H59] if the handoff policy asks for reviews, the operator has to review the document of an automatic handoff', async () => {
    const at = await scene({ ...AUTO, review: true });
    await at.pass(190_000);
    expect(at.runs()).toMatchObject([{ review: 'wanted' }]);
  });

  it('[H60] a countdown stops when the agent works again, and the next countdown has its full length', async () => {
    const at = await scene();
    await at.pass(100_000);
    expect(at.countdown()).not.toBeNull();
    await at.sim.record(prompted(1));
    expect(at.countdown()).toBeNull();
    expect(at.history()).toMatchObject([
      { resolution: expect.stringContaining('The countdown was stopped: the agent is working') },
    ]);
    await at.sim.record(stopped(1));
    await at.pass(50_000);
    expect(at.countdown()).toBeNull();
    await at.pass(12_000);
    expect(at.countdown()).not.toBeNull();
    expect(at.runs()).toEqual([]);
  });

  it("[H60] a countdown stops when the operator begins to type in the agent's composer", async () => {
    const at = await scene();
    await at.pass(70_000);
    await at.sim.record({ type: 'agent_composer_seen', agentId: 1, obstacle: { kind: 'draft', shows: 'wait' } });
    expect(at.countdown()).toBeNull();
  });

  it('[H60] after a canceled countdown, the next countdown begins only after the context use fell below the threshold and rose above it again', async () => {
    const at = await scene();
    await at.pass(70_000);
    await changeCountdown(at.sim.ports, 1, { do: 'cancel' });
    expect(at.countdown()).toBeNull();
    expect(at.history()).toMatchObject([{ resolution: 'A person canceled the countdown' }]);
    await at.pass(400_000);
    expect(at.runs()).toEqual([]);
    await at.sim.record(full(1, 10), full(1, 90));
    await at.pass(4_000);
    expect(at.countdown()).not.toBeNull();
  });

  it('[H60] a snooze postpones the automatic handoff, and a new countdown begins afterwards', async () => {
    const at = await scene();
    await at.pass(70_000);
    await changeCountdown(at.sim.ports, 1, { do: 'snooze', minutes: 10 });
    await at.pass(590_000);
    expect(at.countdown()).toBeNull();
    await at.pass(14_000);
    expect(at.countdown()).not.toBeNull();
  });

  it('[H60] cancelling or snoozing an automatic handoff is refused if the agent\'s handoff policy is not "auto"', async () => {
    const at = await scene(null);
    expect(await changeCountdown(at.sim.ports, 1, { do: 'cancel' })).toMatchObject({
      code: 'action_not_possible',
      sentence: 'The handoff policy of agent 1 is suggest, so Baton does not hand off the agent by itself',
    });
  });

  it('[H60] cancelling an automatic handoff is refused if no handoff is under way and the agent is below the threshold', async () => {
    const at = await scene();
    await at.sim.record(full(1, 20));
    expect(await changeCountdown(at.sim.ports, 1, { do: 'cancel' })).toMatchObject({
      code: 'action_not_possible',
      sentence:
        'There is no automatic handoff of agent 1 to cancel: its context use is 20 %, Baton begins an automatic handoff at 80 %, and the agent has not asked for a handoff',
      hint: expect.stringContaining('baton policy set suggest --agent 1'),
    });
    expect(autoOf(at.sim.agent(1)).isCancelled).toBe(false);
    await askForHandoff(at.sim.ports, 1, 'done');
    expect(await changeCountdown(at.sim.ports, 1, { do: 'cancel' })).toMatchObject({ auto: { request: null } });
    await at.pass(130_000);
    expect(at.runs()).toEqual([]);
  });

  it('[H61] quiet hours hold back an automatic handoff until the quiet hours end', async () => {
    const at = new Scene();
    at.sim.operatorSettings = { ...at.sim.operatorSettings, quietHours: { from: '07:00', to: '08:10' } };
    await at.begin();
    await at.pass(120_000);
    expect(at.countdown()).toBeNull();
    expect(autoOf(at.sim.agent(1)).held).toMatchObject({ why: 'quiet_hours' });
    await at.pass(600_000);
    expect(at.runs()).toHaveLength(1);
  });

  it('[H61] when a persona has reached its daily cap, further automatic handoffs are held back and the inbox says so', async () => {
    const at = await scene({ ...AUTO, perDay: 1 });
    await at.sim.addAgent();
    await at.sim.record(prompted(2), stopped(2), full(2));
    await at.pass(190_000);
    expect(at.runs()).toHaveLength(1);
    expect(at.sim.inbox().map(({ sentence }) => sentence)).toContainEqual(
      expect.stringContaining('its persona has used up its automatic handoffs for today'),
    );
    await at.pass(24 * 3_600_000 - 190_000 - 8 * 3_600_000);
    expect(at.runs()).toHaveLength(1);
    await at.pass(300_000);
    expect(at.runs()).toHaveLength(2);
  }, 120_000);

  it('[H59] Baton does not repeat an automatic handoff that failed or was cancelled', async () => {
    const at = await scene();
    await at.pass(190_000);
    const [run] = at.runs();
    await at.sim.ports.store.write((tx) => {
      if (run) tx.saveRun({ ...run, step: 'cancelled' });
    });
    await at.pass(400_000);
    expect(at.runs()).toHaveLength(1);
  });

  it('a person can set the handoff policy of an agent, but not of an agent that does not exist', async () => {
    const at = await scene(null);
    await setAgentPolicy(at.sim.ports, 1, AUTO);
    expect(at.sim.agent(1).policy).toEqual(AUTO);
    expect(await setAgentPolicy(at.sim.ports, 9, AUTO)).toMatchObject({ code: 'agent_not_found' });
  });
});

describe('the handoff policy of a successor', () => {
  /** Plays a handoff of agent 1 until its successor, agent 2, exists. */
  async function successorIn({ sim }: Scene): Promise<Agent> {
    const run = await sim.handOver(1);
    await sim.ports.store.write((tx) => tx.saveRun({ ...run, step: 'shutting_down', handoffId: 1 }));
    await sim.record({ type: 'agent_process_gone', agentId: 1, detail: 'gone' });
    return sim.agent(2);
  }

  it('[H58] a successor inherits the handoff policy of its predecessor, whatever the policy of its persona is', async () => {
    const at = await scene({ ...DEFAULT_POLICY, mode: 'off' });
    await setAgentPolicy(at.sim.ports, 1, { ...AUTO, perDay: 7 });
    expect(await successorIn(at)).toMatchObject({ previousAgentId: 1, policy: { ...AUTO, perDay: 7 } });
  });

  it('[H58] a successor has no handoff policy of its own if its predecessor had none', async () => {
    const at = await scene(AUTO);
    const successor = await successorIn(at);
    expect([successor.previousAgentId, successor.policy ?? null]).toEqual([1, null]);
  });
});

describe('a countdown and the end of Baton', () => {
  it('[H64] a countdown starts again with its full length after Baton restarts', async () => {
    const at = await scene();
    await at.pass(100_000);
    const before = at.countdown()?.dueAt ?? '';
    at.restart();
    at.sim.pass(3_600_000);
    await at.look();
    expect(at.runs()).toEqual([]);
    expect(at.countdown()?.dueAt.localeCompare(before)).toBe(1);
    expect(at.sim.notices('countdown_restarted')).toHaveLength(1);
    await at.pass(118_000);
    expect(at.runs()).toEqual([]);
    await at.pass(4_000);
    expect(at.runs()).toHaveLength(1);
    expect(at.sim.notices('countdown_began')).toHaveLength(1);
  });

  it('[H64] a countdown does not end while the machine sleeps', async () => {
    const at = await scene();
    await at.pass(70_000);
    at.sim.pass(3_600_000);
    await at.look();
    expect(at.runs()).toEqual([]);
    expect(at.countdown()).not.toBeNull();
  });

  it('[H64] setting the clock back does not make a countdown longer', async () => {
    const at = await scene();
    await at.pass(70_000);
    at.sim.nowMs -= 86_400_000;
    await at.look();
    await at.pass(130_000);
    expect(at.runs()).toHaveLength(1);
  });

  it('[H64] the end of a countdown starts exactly one run, even if Baton restarts at that moment', async () => {
    const at = await scene();
    await at.pass(190_000);
    at.restart();
    await at.look();
    await at.pass(400_000);
    expect(at.runs()).toHaveLength(1);
    expect(at.sim.ports.store.read((tx) => tx.personaById(1)?.autoHandoffs)).toMatchObject({ count: 1 });
  });
});

const repository = (head: string, changed: number): GitFacts => ({
  kind: 'repository',
  root: '/p',
  head,
  branch: 'main',
  branches: { names: ['main'], all: true },
  dirty: { count: changed, untracked: 0, unsure: 0, files: [] },
  diffstat: null,
  upstream: null,
  unknownCommits: [],
});

describe('the loop breaker', () => {
  /**
   * Creates an idle successor with a context use above the threshold. The commit `one` was checked out when the
   * predecessor wrote its document.
   */
  async function successor(): Promise<Scene> {
    const at = new Scene();
    at.sim.git = repository('one', 0);
    await at.sim.addAgent();
    const run = await at.sim.handOver(1);
    await at.sim.addAgent({ previousAgentId: 1 });
    await at.sim.ports.store.write((tx) => {
      tx.saveRun({ ...run, step: 'completed', successorAgentId: 2, git: at.sim.git });
      tx.saveAgent({ ...at.sim.agent(1), state: 'ended', pane: null });
    });
    await setPersonaPolicy(at.sim.ports, 'developer-con-1', AUTO);
    return at;
  }
  const handedOff = (at: Scene) => at.runs().some(({ agentId }) => agentId === 2);

  it('[H62] the loop breaker holds back the automatic handoff of a successor that has done no visible work, and tells a person', async () => {
    const at = await successor();
    await at.sim.record(prompted(2), stopped(2), full(2));
    await at.pass(400_000);
    expect(handedOff(at)).toBe(false);
    expect(at.sim.inbox()).toMatchObject([
      {
        kind: 'decision',
        cause: { what: 'auto-held' },
        sentence: expect.stringContaining('no commit, no edit and no completed package'),
      },
    ]);
    expect(at.sim.notices('auto_handoff_held')).toHaveLength(1);
  });

  it('[H62] if a successor that has done no work asks for a handoff, the answer says that a person decides', async () => {
    const at = await successor();
    await at.sim.record(prompted(2));
    expect(await askForHandoff(at.sim.ports, 2, 'done')).toMatchObject({
      decidedBy: 'person',
      sentence: expect.stringContaining('Baton has seen no commit, no edit and no completed package of this agent'),
    });
    expect(at.sim.inbox()).toMatchObject([{ cause: { what: 'asks-handoff' } }]);
    at.sim.git = repository('two', 0);
    expect(await askForHandoff(at.sim.ports, 2, 'done')).toMatchObject({ decidedBy: 'auto' });
  });

  it.each([
    ['an edit that a hook reported', [edited(2)], repository('one', 0)],
    ['a commit', [], repository('two', 0)],
    ['a changed file', [], repository('one', 1)],
  ])('[H62] the loop breaker allows an automatic handoff of a successor after %s', async (_, facts, git) => {
    const at = await successor();
    await at.sim.record(prompted(2));
    at.sim.git = git;
    await at.sim.record(...facts, stopped(2), full(2));
    await at.pass(190_000);
    expect(handedOff(at)).toBe(true);
  });

  it('[H62] the loop breaker does not count the handoff document of a cancelled run as work', async () => {
    const at = await successor();
    const run = await at.sim.handOver(2);
    await at.sim.record(edited(2));
    expect(autoOf(at.sim.agent(2)).work).toBeNull();
    expect(run.agentId).toBe(2);
  });
});

describe("an agent's own request for a handoff", () => {
  it('[H63] an agent\'s request for a handoff opens an inbox item if the policy is "suggest"', async () => {
    const at = await scene(null);
    expect(await askForHandoff(at.sim.ports, 1, 'my task\nis done')).toMatchObject({ decidedBy: 'person' });
    await at.pass(400_000);
    expect(at.runs()).toEqual([]);
    expect(at.sim.inbox()).toMatchObject([
      {
        kind: 'decision',
        cause: { what: 'asks-handoff' },
        sentence: 'Con (agent 1) asks for a handoff: my task is done',
      },
    ]);
    await at.sim.handOver(1);
    expect(at.sim.inbox()).toEqual([]);
  });

  it('[H63] an agent\'s request for a handoff starts a countdown under the policy "auto", even below the context threshold', async () => {
    const at = await scene(AUTO);
    await at.sim.record(full(1, 20));
    expect(await askForHandoff(at.sim.ports, 1, 'done')).toMatchObject({ decidedBy: 'auto' });
    await at.pass(2_000);
    expect(at.countdown()).toMatchObject({ trigger: 'request' });
    await at.pass(124_000);
    expect(at.runs()).toMatchObject([
      {
        reason: 'task_boundary',
        askedBecause: 'done',
        begunBecause: expect.stringContaining('the agent asked for it ("done")'),
      },
    ]);
  });

  it('if an agent with a full context asks for a handoff, the reason of the handoff is "context_limit"', async () => {
    const at = await scene(AUTO);
    await askForHandoff(at.sim.ports, 1, 'nearly full');
    await at.pass(124_000);
    expect(at.runs()).toMatchObject([{ reason: 'context_limit', askedBecause: 'nearly full' }]);
  });

  it("a handoff that the agent asked for has the agent's reason, unless the person who begins the handoff gives another reason", async () => {
    for (const [given, reason] of [
      [undefined, 'task_boundary'],
      ['shift_end', 'shift_end'],
    ]) {
      const at = await scene(null);
      await at.sim.record(full(1, 20));
      await askForHandoff(at.sim.ports, 1, 'my task is done');
      const run = await requestHandoff(at.sim.ports, 1, { reason: given, note: undefined });
      expect(run).toMatchObject({ reason, askedBecause: 'my task is done' });
    }
  });

  it.each<[string, (at: Scene) => Promise<unknown>, string]>([
    [
      'canceled',
      (at) => changeCountdown(at.sim.ports, 1, { do: 'cancel' }),
      'a person canceled it until the context use falls below the threshold',
    ],
    [
      'snoozed',
      (at) => changeCountdown(at.sim.ports, 1, { do: 'snooze', minutes: 30 }),
      'a person snoozed it; a countdown can begin on 2026-11-15 08:30 UTC',
    ],
    [
      'held back by quiet hours',
      async ({ sim }) => {
        sim.operatorSettings = { ...sim.operatorSettings, quietHours: { from: '07:00', to: '09:00' } };
      },
      "these are the operator's quiet hours; a countdown can begin when they end",
    ],
    [
      'held back by the daily cap',
      ({ sim }) =>
        sim.ports.store.write((tx) => {
          const persona = tx.personaById(1);
          const day = sim.ports.clock.localDay(sim.ports.clock.now());
          if (persona) tx.savePersona({ ...persona, autoHandoffs: { day, count: 10 } });
        }),
      'its persona has used up its automatic handoffs for today; a countdown can begin tomorrow',
    ],
    [
      'not repeated after a canceled handoff',
      async ({ sim }) => {
        const run = await sim.handOver(1);
        await sim.ports.store.write((tx) => tx.saveRun({ ...run, step: 'cancelled' }));
      },
      'handoff 1 of this agent did not complete',
    ],
  ])(
    "[H63] if the automatic handoff of an agent is %s, the agent's request for a handoff waits for a person, and the answer says why",
    async (_, prevent, why) => {
      const at = await scene(AUTO);
      await prevent(at);
      await at.sim.record(prompted(1));
      expect(await askForHandoff(at.sim.ports, 1, 'my task is done')).toEqual({
        decidedBy: 'person',
        sentence: `Baton does not hand off agent 1 by itself now: ${why}. The operator has your request in the inbox and can begin the handoff at any time. Continue your work until then.`,
      });
      expect(at.sim.inbox().map(({ sentence }) => sentence)).toContain(
        'Con (agent 1) asks for a handoff: my task is done',
      );
      expect(at.countdown()).toBeNull();
    },
  );

  /**
   * Lets an agent ask for a handoff during quiet hours and end its turn. Then ends the quiet hours. Returns the number
   * of the inbox item about the request.
   */
  async function askInQuietHours(at: Scene, react: (itemId: number) => Promise<unknown>): Promise<number> {
    const { sim } = at;
    sim.operatorSettings = { ...sim.operatorSettings, quietHours: { from: '07:00', to: '09:00' } };
    await sim.record(prompted(1), full(1, 20));
    await askForHandoff(sim.ports, 1, 'my task is done');
    const itemId = sim.inbox()[0]?.id ?? 0;
    await react(itemId);
    await sim.record(stopped(1));
    await at.pass(10_000);
    sim.operatorSettings = { ...sim.operatorSettings, quietHours: null };
    return itemId;
  }

  it("[H63] if a person dismisses the inbox item about an agent's request for a handoff, no countdown begins when the quiet hours end", async () => {
    const at = await scene(AUTO);
    await askInQuietHours(at, (id) => dismissInboxItem(at.sim.ports, id));
    await at.pass(400_000);
    expect([at.countdown(), at.runs(), at.sim.inbox()]).toEqual([null, [], []]);
    expect(at.history()).toMatchObject([{ resolution: 'dismissed by the operator', current: false }]);
  });

  it("[H63] if a person restores the dismissed inbox item about an agent's request for a handoff, the request is valid again", async () => {
    const at = await scene(AUTO);
    await askInQuietHours(at, async (id) => {
      await dismissInboxItem(at.sim.ports, id);
      const restored = await restoreInboxItem(at.sim.ports, id);
      expect(restored).toMatchObject({ id, resolvedAt: null, current: true });
      expect(at.sim.inbox()).toEqual([restored]);
    });
    await at.pass(4_000);
    expect(at.countdown()).toMatchObject({ trigger: 'request' });
  });

  it('[H63] if an agent asks for a handoff again after a person declined its request, a new inbox item opens, and the declined item cannot be restored', async () => {
    const at = await scene(null);
    await askForHandoff(at.sim.ports, 1, 'my task is done');
    const id = at.sim.inbox().find(({ cause }) => cause.of === 'agent' && cause.what === 'asks-handoff')?.id ?? 0;
    await dismissInboxItem(at.sim.ports, id);
    await askForHandoff(at.sim.ports, 1, 'my task is done');
    expect(at.sim.inbox()).toMatchObject([{ cause: { what: 'asks-handoff' } }]);
    expect(at.sim.inbox()[0]?.id).not.toBe(id);
    expect(await restoreInboxItem(at.sim.ports, id)).toMatchObject({
      code: 'inbox_item_not_restorable',
      sentence: `Inbox item ${id} cannot be restored, because its cause is resolved`,
    });
  });

  it('[H63] an agent\'s request for a handoff is refused if the policy is "off" or the agent is already in a handoff', async () => {
    const at = await scene({ ...AUTO, mode: 'off' });
    expect(await askForHandoff(at.sim.ports, 1, 'done')).toMatchObject({ code: 'action_not_possible' });
    await setPersonaPolicy(at.sim.ports, 'developer-con-1', AUTO);
    await at.sim.handOver(1);
    expect(await askForHandoff(at.sim.ports, 1, 'done')).toMatchObject({ code: 'handoff_in_progress' });
  });
});

describe('a handoff that Baton began by itself', () => {
  it('in an automatic handoff, Baton types the handoff instruction to the agent', async () => {
    const at = await scene();
    await at.pass(190_000);
    const runner = createEffectRunner(at.sim.ports);
    for (let round = 0; round < 50; round++) {
      runner.wake();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await runner.stop();
    expect(at.sim.typed.map(({ text }) => text)).toEqual([expect.stringContaining('handoff')]);
  });
});
