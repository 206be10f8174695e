import { beforeEach, describe, expect, it } from 'vitest';
import { muteAgent } from '../../../src/app/agents/mute-agent.ts';
import { createHealth } from '../../../src/app/engine/health.ts';
import { createOperatorNotifier, type OperatorNotifier } from '../../../src/app/inbox/notify-operator.ts';
import { raiseNotice } from '../../../src/app/inbox/raise-notice.ts';
import { openItem, syncInboxForAgent } from '../../../src/app/inbox/sync-inbox.ts';
import type { OperatorSettings } from '../../../src/app/ports/operator-settings.ts';
import type { Fact } from '../../../src/domain/facts.ts';
import { instantFromMs } from '../../../src/domain/instant.ts';
import { SimWorld } from '../engine/sim-world.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NIGHT = { from: '22:00', to: '07:00' };

const asks = (agentId: number): Fact => ({
  type: 'input_requested',
  agentId,
  promptId: null,
  question: 'asks to go on',
});
const prompted = (agentId: number, ref: string | null = null): Fact => ({
  type: 'prompt_submitted',
  agentId,
  promptId: 'p',
  ref,
  textHash: '',
  excerpt: '',
});
const rests = (agentId: number): Fact => ({ type: 'turn_ended', agentId, promptId: 'p', backgroundTasks: 0 });
const uses = (agentId: number, usedPercent: number): Fact => ({
  type: 'context_measured',
  agentId,
  usedPercent,
  usedTokens: null,
  windowTokens: null,
});

let sim: SimWorld;
let notifier: OperatorNotifier;
beforeEach(async () => {
  sim = new SimWorld();
  notifier = createOperatorNotifier(sim.ports);
  await sim.addAgent();
});

const inbox = () => sim.ports.store.read((tx) => tx.openInboxItems());
const keys = () => inbox().map(({ key }) => key);
const set = (change: Partial<OperatorSettings>): void => {
  sim.operatorSettings = { ...sim.operatorSettings, ...change };
};
const turnOff = (name: 'waits' | 'finished' | 'near_threshold' | 'notices'): void =>
  set({ notifications: { ...sim.operatorSettings.notifications, [name]: false } });
/** Wakes the notifier, as the engine does at each tick and after each transaction. */
const wake = async (by: OperatorNotifier = notifier): Promise<void> => {
  by.wake();
  by.wake();
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
};
const titles = () => sim.notified.map(({ title }) => title);
/** Adds the inbox item of a failed run without creating the run. */
const fail = (): Promise<void> =>
  sim.ports.store.write((tx) => {
    const rest = { current: true, resolvedAt: null, resolution: null, notifiedAt: null, notified: {} };
    const openedAt = sim.ports.clock.now();
    const about = { agentId: 1, runId: null, openedAt };
    tx.insertInboxItem({
      cause: { of: 'run', runId: 1, what: 'failed/1' },
      kind: 'failure',
      sentence: 'It failed.',
      hint: 'Look.',
      ...about,
      ...rest,
    });
  });
const at = (time: string): void => {
  sim.nowMs = Date.parse(time);
};

describe('notifications about an agent that waits for an answer', () => {
  it('[D11] each question of an agent causes one notification', async () => {
    await sim.record(asks(1));
    await wake();
    await wake();
    expect(sim.notified).toMatchObject([
      {
        title: 'Con (agent 1) asks to go on',
        body: 'Con (agent 1) asks to go on\nOpen Baton to answer.',
        target: { path: '/agents/1' },
      },
    ]);
    await sim.record(rests(1), asks(1));
    await wake();
    expect(sim.notified).toHaveLength(2);
    turnOff('waits');
    await sim.record(rests(1), asks(1));
    await wake();
    expect([sim.notified.length, keys()]).toEqual([2, ['agent/1/asks']]);
  });
});

describe('notifications about an agent that has finished', () => {
  const work = async (ms: number, ref: string | null = null): Promise<void> => {
    await sim.record(prompted(1, ref));
    sim.pass(ms);
    await sim.record(rests(1));
    await wake();
  };

  it('the end of a turn causes a notification only if the turn was long', async () => {
    await work(59_000);
    expect(sim.notified).toEqual([]);
    await work(12 * MINUTE);
    expect(sim.notified).toMatchObject([
      { title: 'Con (agent 1) finished', urgency: 'low', body: expect.stringContaining('after 12 min of work') },
    ]);
    await sim.record({ type: 'agent_seen_idle', agentId: 1 }, uses(1, 10));
    await wake();
    expect([sim.notified.length, keys()]).toEqual([1, ['agent/1/finished']]);
    await sim.record(prompted(1));
    expect(keys()).toEqual([]);
  });

  it('the configured number of seconds of work decides whether the end of a turn causes a notification', async () => {
    set({ finishedAfterSeconds: 5 });
    await work(6_000);
    expect(sim.notified).toHaveLength(1);
    turnOff('finished');
    await work(HOUR);
    expect([sim.notified.length, keys()]).toEqual([1, []]);
  });

  it('the time that an agent waits for an answer counts as work time', async () => {
    await sim.record(prompted(1));
    sim.pass(50_000);
    await sim.record(asks(1));
    sim.pass(50_000);
    await sim.record({ type: 'agent_seen_working', agentId: 1 }, rests(1));
    expect(keys()).toEqual(['agent/1/finished']);
    const typing = { ref: 'r', promptId: null, accepted: true, retryAt: null, told: false } as const;
    const fresh = await sim.addAgent({ priming: { status: 'typing', ...typing } });
    await sim.record(prompted(fresh.id, 'r'));
    sim.pass(HOUR);
    await sim.record(rests(fresh.id));
    expect(keys()).toEqual(['agent/1/finished']);
  });

  it('a turn of a handoff run causes no notification that the agent has finished', async () => {
    await work(2 * MINUTE);
    await sim.handOver(1);
    expect(keys()).toEqual([]);
    await work(HOUR, `${sim.run().nonce}-instruction`);
    expect(keys().filter((key) => key.includes('finished'))).toEqual([]);
    await sim.ports.store.write((tx) => {
      tx.saveRun({ ...sim.run(), step: 'cancelled' });
      syncInboxForAgent(tx, sim.ports, sim.agent(1));
    });
    expect(keys().filter((key) => key.includes('finished'))).toEqual([]);
  });
});

describe('notifications about the context use of an agent', () => {
  it('reaching the handoff threshold causes one notification per session', async () => {
    await sim.record(uses(1, 79.9));
    expect(keys()).toEqual([]);
    await sim.record(uses(1, 80));
    await wake();
    expect(sim.notified).toMatchObject([
      { title: 'Con (agent 1): handoff suggested', body: expect.stringContaining('80 %') },
    ]);
    expect(sim.notified[0]?.target).toMatchObject({ path: '/agents/1', agentId: 1 });
    await sim.record(uses(1, 90), uses(1, 20));
    expect(keys()).toEqual([]);
    await sim.record(uses(1, 95));
    await wake();
    expect([sim.notified.length, keys()]).toEqual([1, []]);
    const cleared = { type: 'session_started', agentId: 1, runtimeSessionId: 'another', source: 'clear' } as const;
    await sim.record(cleared, { type: 'agent_seen_idle', agentId: 1 });
    expect(keys()).not.toContain('agent/1/near-threshold');
    await sim.record(uses(1, 3), uses(1, 85));
    await wake();
    expect(titles().filter((title) => title === 'Con (agent 1): handoff suggested')).toHaveLength(2);
  });

  it('reaching the handoff threshold causes no notification if this kind of notification is turned off', async () => {
    turnOff('near_threshold');
    await sim.record(uses(1, 99));
    await wake();
    expect([sim.notified, keys()]).toEqual([[], []]);
  });
});

describe('quiet hours', () => {
  beforeEach(() => {
    set({ quietHours: NIGHT });
    at('2026-11-15T23:30:00.000Z');
  });

  it('quiet hours delay all notifications except failures', async () => {
    await sim.addAgent();
    await sim.addAgent();
    await sim.record(asks(1), uses(2, 90), asks(3));
    await wake();
    await wake();
    expect(sim.notified).toEqual([]);
    expect(inbox().map(({ notified, notifiedAt }) => [notified, notifiedAt])).toEqual(
      Array.from({ length: 3 }, () => [{ held: 'quiet hours' }, null]),
    );
    expect(sim.notices('inbox_held')).toHaveLength(3);
    await fail();
    await wake();
    expect(titles()).toEqual(['Handoff 1 of Con (agent 1) failed']);
    at('2026-11-16T06:59:59.000Z');
    await wake();
    expect(sim.notified).toHaveLength(1);
    at('2026-11-16T07:00:00.000Z');
    await wake();
    await wake();
    expect(titles().slice(1)).toEqual(['Baton: 3 delayed notifications']);
    expect(sim.notified[1]?.body.split('\n')).toHaveLength(4);
    expect(inbox().every(({ notifiedAt }) => notifiedAt !== null)).toBe(true);
  });

  it('the summary after quiet hours leaves out items that were already resolved', async () => {
    await sim.record(asks(1));
    await wake();
    await sim.record(rests(1));
    at('2026-11-16T07:00:00.000Z');
    await wake();
    expect(sim.notified).toEqual([]);
  });

  it('if quiet hours end while Baton is down, the summary is sent after the restart', async () => {
    await sim.addAgent();
    await sim.record(asks(1), asks(2));
    await wake();
    at('2026-11-16T08:00:00.000Z');
    const next = createOperatorNotifier(sim.ports);
    await wake(next);
    expect(titles()).toEqual(['Baton: 2 delayed notifications']);
    await wake(createOperatorNotifier(sim.ports));
    expect(sim.notified).toHaveLength(1);
  });

  // In Central Europe, the clock changes at 01:00 UTC. In 2026, it goes from 02:00 to 03:00 on 29 March, and from 03:00
  // back to 02:00 on 25 October.
  it.each([
    ['an hour is skipped, still quiet before 07:00', '2026-03-29T04:59:00.000Z', NIGHT, true],
    ['an hour is skipped, not quiet at 07:00', '2026-03-29T05:00:00.000Z', NIGHT, false],
    ['an hour is repeated, still quiet before 07:00', '2026-10-25T05:59:00.000Z', NIGHT, true],
    ['an hour is repeated, not quiet at 07:00', '2026-10-25T06:00:00.000Z', NIGHT, false],
    ['quiet from 22:00 after the change', '2026-03-29T20:00:00.000Z', NIGHT, true],
    ['not quiet before 22:00 after the change', '2026-03-29T19:59:00.000Z', NIGHT, false],
    ['not quiet after an end that the clock skips', '2026-03-29T01:00:00.000Z', { from: '01:00', to: '02:30' }, false],
    ['quiet in repeated hours the first time', '2026-10-25T00:15:00.000Z', { from: '02:00', to: '02:30' }, true],
    ['quiet in repeated hours the second time', '2026-10-25T01:15:00.000Z', { from: '02:00', to: '02:30' }, true],
    ['not quiet between repeated hours', '2026-10-25T00:45:00.000Z', { from: '02:00', to: '02:30' }, false],
    ['quiet within a day without a change', '2026-06-01T10:00:00.000Z', { from: '11:00', to: '13:00' }, true],
  ])('quiet hours follow local time across a clock change: %s', async (_what, time, quietHours, isQuiet) => {
    sim.zone = 'Europe/Berlin';
    set({ quietHours });
    at(time);
    await sim.record(asks(1));
    await wake();
    expect(sim.notified.length).toBe(isQuiet ? 0 : 1);
  });
});

describe('a muted agent', () => {
  it('a muted agent causes only failure notifications until the mute ends', async () => {
    await sim.addAgent();
    const until = instantFromMs(sim.nowMs + HOUR);
    expect(await muteAgent(sim.ports, 1, { muted: true, until })).toMatchObject({ muted: { until } });
    await sim.record(asks(1), uses(1, 90), asks(2));
    await wake();
    expect(sim.notified.map(({ body }) => body)).toEqual([expect.stringContaining('agent 2')]);
    await fail();
    await wake();
    expect(titles()[1]).toBe('Handoff 1 of Con (agent 1) failed');
    sim.pass(HOUR);
    await wake();
    expect(titles().slice(2)).toEqual(['Baton: 2 delayed notifications']);
  });

  it('an agent that is muted without an end time stays muted until the operator unmutes the agent', async () => {
    await muteAgent(sim.ports, 1, { muted: true, until: null });
    await sim.record(asks(1));
    sim.pass(100 * HOUR);
    await wake();
    expect(sim.notified).toEqual([]);
    await muteAgent(sim.ports, 1, { muted: false });
    await wake();
    expect(sim.notified).toHaveLength(1);
    expect(sim.notices('agent_muted').map(({ muted }) => muted)).toEqual([true, false]);
  });

  it('muting an agent until a time in the past is refused', async () => {
    expect(await muteAgent(sim.ports, 9, { muted: false })).toMatchObject({ code: 'agent_not_found' });
    const past = { muted: true, until: instantFromMs(sim.nowMs) } as const;
    expect(await muteAgent(sim.ports, 1, past)).toMatchObject({ code: 'bad_request' });
    await sim.record({ type: 'agent_process_gone', agentId: 1, detail: 'gone' });
    expect(await muteAgent(sim.ports, 1, { muted: true, until: null })).toMatchObject({ code: 'agent_not_active' });
  });
});

describe('notifications about a fault of Baton itself', () => {
  const lookInVain = async (): Promise<void> => {
    const health = createHealth(sim.ports);
    for (let look = 0; look < 5; look++)
      await health.guard('write to its store', () => Promise.reject(new Error('disk full')));
  };

  it('[F6] a fault of Baton itself causes one notification, even in quiet hours', async () => {
    set({ quietHours: { from: '00:00', to: '23:59' } });
    await lookInVain();
    await wake();
    expect(sim.notified).toMatchObject([{ title: 'Baton: internal problem', urgency: 'critical' }]);
  });

  it('[F6] a fault of Baton itself causes a notification even if the store cannot be written', async () => {
    set({ quietHours: { from: '00:00', to: '23:59' } });
    sim.broken.add('store');
    await lookInVain();
    expect(sim.notified).toMatchObject([{ body: expect.stringContaining('disk full'), urgency: 'critical' }]);
  });
});

describe('the record of a sent notification', () => {
  it('a notification is sent only once, even if the store cannot record the sending', async () => {
    await sim.record(asks(1));
    sim.broken.add('store');
    for (let tick = 0; tick < 5; tick++) await wake();
    expect([sim.notified.length, inbox()[0]?.notifiedAt]).toEqual([1, null]);
    sim.broken.clear();
    await wake();
    expect([sim.notified.length, inbox()[0]?.notified]).toEqual([1, { os: 'sent' }]);
    expect(sim.notices('operator_notified')).toHaveLength(1);
  });
});

describe('the text of a notification', () => {
  it('[T20] neither a notification nor the inbox contains a secret', async () => {
    const key = `sk-ant-${'a1b2c3'.repeat(8)}`;
    const question = `asks permission to use Bash: curl -H "x-api-key: ${key}"`;
    await sim.record({ type: 'input_requested', agentId: 1, promptId: null, question });
    await sim.addAgent();
    await sim.record({ type: 'input_requested', agentId: 2, promptId: null, question: 'asks to go on' });
    await wake();
    expect(inbox()[0]?.sentence).toContain('[redacted anthropic-key]');
    expect(sim.notified.map(({ body }) => body.split('\n')[0])).toEqual([
      expect.stringContaining('asks permission to use Bash: curl -H "x-api-key: [redacted anthropic-key]"'),
      expect.stringContaining('asks to go on'),
    ]);
    expect(JSON.stringify([inbox(), sim.notified, sim.notices('operator_notified')])).not.toContain(key);
  });

  it('[T20] the hint of an inbox item contains no secret', async () => {
    const key = `sk-ant-${'a1b2c3'.repeat(8)}`;
    const cause = { of: 'event', seq: 1, until: null } as const;
    const wish = { cause, kind: 'notice', sentence: 'It stopped.', hint: `Run: x --key ${key}` } as const;
    await sim.ports.store.write((tx) => openItem(tx, sim.ports, wish, { agentId: 1, runId: null }));
    expect(inbox()[0]?.hint).toBe('Run: x --key [redacted anthropic-key]');
    expect(JSON.stringify(sim.notices('inbox_opened'))).not.toContain(key);
  });
});

describe('a flood of inbox items', () => {
  const warn = (count: number): Promise<void> =>
    sim.ports.store.write((tx) => {
      for (let n = 0; n < count; n++)
        raiseNotice(tx, sim.ports, { type: 'agent_warning', sentence: `Warning ${n}` }, { agentId: 1, runId: null });
    });

  it('500 inbox items that appear at once cause one notification', async () => {
    await warn(500);
    await wake();
    expect(titles()).toEqual(['Baton: 500 new notifications']);
    expect(sim.notified[0]?.body.length).toBeLessThan(1_000);
    expect(sim.notified[0]?.body).toContain('And 495 more.');
    expect(inbox().filter(({ notifiedAt }) => notifiedAt === null)).toEqual([]);
    const noted = sim.ports.store.read((tx) => tx.events({ types: ['operator_notified'], limit: 9 }));
    expect(noted.map(({ data }) => (data.itemIds as number[]).length)).toEqual([500]);
  });

  it('500 inbox items that appear one by one cause ten notifications, then one per minute', async () => {
    for (let n = 0; n < 500; n++) {
      await warn(1);
      notifier.wake();
    }
    await wake();
    expect(sim.notified).toHaveLength(10);
    await fail();
    await wake();
    expect(titles().at(-1)).toBe('Handoff 1 of Con (agent 1) failed');
    sim.pass(MINUTE);
    await wake();
    await wake();
    expect(titles().slice(11)).toEqual(['Baton: 490 new notifications']);
  });
});
