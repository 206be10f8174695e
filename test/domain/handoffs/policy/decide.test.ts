import { describe, expect, it } from 'vitest';
import type { Agent } from '../../../../src/domain/agents/agent.ts';
import { type AutoHandoff, NO_AUTO } from '../../../../src/domain/handoffs/policy/auto-handoff.ts';
import { type AutoContext, decideAuto } from '../../../../src/domain/handoffs/policy/decide.ts';
import {
  countOn,
  DEFAULT_POLICY,
  type HandoffPolicy,
  nearestPolicy,
  policyInWords,
} from '../../../../src/domain/handoffs/policy/policy.ts';
import { instantFromMs, after as later } from '../../../../src/domain/instant.ts';
import { anAgent } from '../../../adapters/stores/store-contract.ts';

const NOW = instantFromMs(Date.parse('2026-11-18T12:00:00Z'));
const AUTO: HandoffPolicy = { ...DEFAULT_POLICY, mode: 'auto' };
const LONG_AGO = later(NOW, -600_000);

const agent = (auto: Partial<AutoHandoff> = {}, usedPercent = 85): Agent => ({
  ...anAgent({ sessionUuid: 'abcdef12-0000', tokenHash: 't', personaId: 1 }),
  id: 7,
  hostId: 'h',
  tmuxSession: 'baton-7',
  state: 'idle',
  context: { usedPercent, usedTokens: null, windowTokens: null, measuredAt: NOW },
  auto: { ...NO_AUTO, idleSince: LONG_AGO, ...auto },
});

const world = (over: Partial<AutoContext> = {}, policy: HandoffPolicy = AUTO): AutoContext => ({
  nearest: { policy, from: 'persona' },
  handoffAtPercent: 80,
  refusal: null,
  earlierRunId: null,
  isSuccessor: false,
  isQuiet: false,
  usedToday: 0,
  now: NOW,
  ...over,
});

const COUNTING = { trigger: 'threshold', beganAt: LONG_AGO, dueAt: later(NOW, 30_000) } as const;
const OVER = { ...COUNTING, dueAt: NOW };

describe('the handoff policy of an agent', () => {
  const policy = (mode: HandoffPolicy['mode']) => ({ policy: { ...DEFAULT_POLICY, mode } });

  it("[H58] an agent's own policy overrides its persona's policy, and the persona's policy overrides the project's", () => {
    const all = [policy('off'), policy('auto'), policy('suggest')] as const;
    expect(nearestPolicy(...all)).toMatchObject({ from: 'agent', policy: { mode: 'off' } });
    expect(nearestPolicy({}, all[1], all[2])).toMatchObject({ from: 'persona', policy: { mode: 'auto' } });
    expect(nearestPolicy({ policy: null }, undefined, all[2])).toMatchObject({ from: 'project' });
  });

  it('[H58] the handoff policy of an agent is "suggest" if no policy is set', () => {
    expect(nearestPolicy({}, {}, {})).toEqual({ from: 'default', policy: DEFAULT_POLICY });
    expect(DEFAULT_POLICY.mode).toBe('suggest');
  });

  it('the description of the policy "auto" names all settings of the policy', () => {
    expect(policyInWords(DEFAULT_POLICY)).toBe('suggest');
    expect(policyInWords({ ...AUTO, review: true, inQuietHours: true })).toBe(
      'auto (idle 60 s, countdown 120 s, review, also in quiet hours, at most 10 a day)',
    );
  });

  it('only the automatic handoffs of the current day count towards the daily limit', () => {
    expect(countOn('2026-11-18', { day: '2026-11-18', count: 3 })).toBe(3);
    expect(countOn('2026-11-19', { day: '2026-11-18', count: 3 })).toBe(0);
    expect(countOn('2026-11-19', undefined)).toBe(0);
  });
});

describe('the decision about an automatic handoff', () => {
  it('[H59] a countdown begins if an agent with a context use above the threshold has been idle for the set time', () => {
    expect(decideAuto(agent(), world())).toEqual({
      do: 'begin_countdown',
      trigger: 'threshold',
      dueAt: later(NOW, 120_000),
    });
  });

  it.each([
    ['is "suggest"', {}, { ...AUTO, mode: 'suggest' }],
    ['is "off"', {}, { ...AUTO, mode: 'off' }],
  ] as const)('[H58] if the policy %s, no countdown of an automatic handoff begins', (_, over, policy) => {
    expect(decideAuto(agent(), world(over, policy))).toEqual({ do: 'nothing' });
  });

  it.each([
    ['the agent is below the threshold', agent({}, 79.9), {}],
    ['the agent is not known to be idle', agent({ idleSince: null }), {}],
    ['the agent has been idle for a shorter time', agent({ idleSince: later(NOW, -59_000) }), {}],
    ['a person canceled it', agent({ isCancelled: true }), {}],
    ['a person snoozed it', agent({ snoozedUntil: later(NOW, 1) }), {}],
    ['a handoff would be refused', agent(), { refusal: 'Agent has no persona' }],
    ['an earlier run of the agent did not complete', agent(), { earlierRunId: 3 }],
  ])('[H59] no countdown of an automatic handoff begins if %s', (_, who, over) => {
    expect(decideAuto(who, world(over))).toEqual({ do: 'nothing' });
  });

  it('[H60] when a snooze has ended, a countdown begins', () => {
    expect(decideAuto(agent({ snoozedUntil: NOW }), world()).do).toBe('begin_countdown');
  });

  it('[H59] an automatic handoff begins when its countdown is over, and not before', () => {
    expect(decideAuto(agent({ countdown: COUNTING }), world())).toEqual({ do: 'nothing' });
    expect(decideAuto(agent({ countdown: OVER }), world())).toEqual({
      do: 'hand_off',
      because: 'the context use is 85 %, it has been idle for 10 min, and the handoff policy of its persona is auto',
    });
  });

  it.each([
    [
      'the policy changed',
      agent({ countdown: OVER }),
      {},
      { ...AUTO, mode: 'suggest' },
      'its handoff policy is suggest',
    ],
    [
      'the context was compacted',
      agent({ countdown: OVER }, 20),
      {},
      AUTO,
      'its context use is below the threshold of 80 %',
    ],
    [
      'a person began a run',
      agent({ countdown: OVER }),
      { refusal: 'Handoff already in progress' },
      AUTO,
      'Handoff already in progress',
    ],
    ['quiet hours began', agent({ countdown: OVER }), { isQuiet: true }, AUTO, 'these are your quiet hours'],
    [
      'the day has no handoffs left',
      agent({ countdown: OVER }),
      { usedToday: 10 },
      AUTO,
      'its persona has used up its automatic handoffs for today',
    ],
  ] as const)('[H60] at the end of a countdown, no handoff begins if %s', (_, who, over, policy, why) => {
    expect(decideAuto(who, world(over, policy))).toEqual({ do: 'stop', why });
  });

  it('[H61] in quiet hours, an automatic handoff is held back unless the policy allows handoffs in quiet hours', () => {
    expect(decideAuto(agent(), world({ isQuiet: true }))).toEqual({ do: 'hold', why: 'quiet_hours' });
    expect(decideAuto(agent(), world({ isQuiet: true }, { ...AUTO, inQuietHours: true })).do).toBe('begin_countdown');
  });

  it('[H61] the number of automatic handoffs of a persona on one day is limited', () => {
    expect(decideAuto(agent(), world({ usedToday: 9 })).do).toBe('begin_countdown');
    expect(decideAuto(agent(), world({ usedToday: 10 }))).toEqual({ do: 'hold', why: 'cap' });
  });

  it('if Baton holds back an automatic handoff, Baton records the hold once and releases the handoff when the cause is gone', () => {
    const held = agent({ held: { why: 'cap', since: LONG_AGO } });
    expect(decideAuto(held, world({ usedToday: 10 }))).toEqual({ do: 'nothing' });
    expect(decideAuto(held, world({ usedToday: 0 })).do).toBe('begin_countdown');
    expect(decideAuto({ ...held, context: null }, world({ usedToday: 10 }))).toEqual({ do: 'release' });
  });

  it('[H62] before a successor is handed off automatically, Baton looks for visible work of the successor', () => {
    expect(decideAuto(agent(), world({ isSuccessor: true }))).toEqual({ do: 'check_work' });
    expect(decideAuto(agent({ work: 'edit' }), world({ isSuccessor: true })).do).toBe('begin_countdown');
  });

  it('[H62] if Baton found no visible work of a successor, Baton looks again only after another turn', () => {
    const loop = { why: 'loop', since: later(NOW, -1000) } as const;
    const still = agent({ held: loop });
    expect(decideAuto(still, world({ isSuccessor: true }))).toEqual({ do: 'nothing' });
    const again = agent({ held: { ...loop, since: later(LONG_AGO, -1) } });
    expect(decideAuto(again, world({ isSuccessor: true }))).toEqual({ do: 'check_work' });
  });

  it('[H63] if an agent asks for a handoff, a countdown begins as soon as the agent is idle, at any context use', () => {
    const request = { reason: 'my task is done', at: NOW, isForPerson: false };
    const asking = agent({ request, idleSince: NOW }, 10);
    expect(decideAuto(asking, world())).toMatchObject({ do: 'begin_countdown', trigger: 'request' });
    expect(decideAuto(agent({ request, idleSince: null }, 10), world())).toEqual({ do: 'nothing' });
    expect(decideAuto(asking, world({ usedToday: 10 }))).toEqual({ do: 'hold', why: 'cap' });
    expect(decideAuto(asking, world({ isSuccessor: true }))).toEqual({ do: 'check_work' });
  });

  it('[H63] an agent\'s request for a handoff begins no countdown if the policy is "suggest"', () => {
    const request = { reason: 'my task is done', at: NOW, isForPerson: true };
    expect(decideAuto(agent({ request }, 10), world({}, DEFAULT_POLICY))).toEqual({ do: 'nothing' });
  });
});
