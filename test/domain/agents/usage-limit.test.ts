import { describe, expect, it } from 'vitest';
import type { Agent } from '../../../src/domain/agents/agent.ts';
import { applyFact } from '../../../src/domain/agents/apply-fact.ts';
import type { AgentFact } from '../../../src/domain/facts.ts';
import { shuttingDown } from '../../../src/domain/handoffs/outgoing-steps.ts';
import { validateEmergency, validateRequest } from '../../../src/domain/handoffs/request.ts';
import { inboxEntriesForAgent } from '../../../src/domain/inbox/inbox.ts';
import { instantFromMs, after as later, localTime } from '../../../src/domain/instant.ts';
import { isPast } from '../../../src/domain/limits/usage-limit.ts';
import { anAgent } from '../../adapters/stores/store-contract.ts';
import { Turntable } from '../handoffs/handoff-kit.ts';

const NOW = instantFromMs(Date.parse('2026-11-18T01:00:00Z'));
const RESET = later(NOW, 3_600_000);
const WORDS = "You've hit your 5-hour limit · resets 2:24am (UTC)";

const working = (): Agent => ({
  ...anAgent({ sessionUuid: 'abcdef12-0000', tokenHash: 't', personaId: 1 }),
  id: 7,
  hostId: 'h',
  tmuxSession: 'baton-7',
  pane: { serverPid: 1, serverStartedAt: 1, paneId: '%1', panePid: 9, tag: 'x' },
  state: 'working',
  turnPromptId: 'p1',
  rested: false,
});

const hit = (over: object = {}): AgentFact =>
  ({ type: 'usage_limit_hit', agentId: 7, words: WORDS, until: RESET, continuesItself: false, ...over }) as AgentFact;
const failed: AgentFact = { type: 'turn_failed', agentId: 7, promptId: 'p1', error: WORDS };
const overByTime: AgentFact = { type: 'usage_limit_over', agentId: 7, by: 'time' };
const wait: AgentFact = { type: 'limit_wait_chosen', agentId: 7, wait: true };

const through = (agent: Agent, ...facts: AgentFact[]): Agent =>
  facts.reduce((before, fact) => applyFact(before, fact, NOW).agent, agent);
const limited = (over: object = {}): Agent => through(working(), hit(over), failed);

describe('an agent that hits a usage limit', () => {
  it(`an agent under a usage limit has the state "limited" and the client's own words as the reason`, () => {
    expect(through(working(), hit())).toMatchObject({ state: 'limited', stateReason: WORDS, rested: false });
    expect(limited()).toMatchObject({
      state: 'limited',
      stateReason: WORDS,
      rested: true,
      limit: { until: RESET, since: NOW, isAwaited: false },
    });
  });

  it('an agent under a usage limit stays limited when its client reports idle', () => {
    const seen: AgentFact = { type: 'agent_seen_idle', agentId: 7, by: 'status' };
    expect(through(limited(), seen, { type: 'agent_said_idle', agentId: 7, promptId: null })).toMatchObject({
      state: 'limited',
    });
  });

  it.each([
    ['is asked to exit if its client does not continue by itself', false, true, 'type_exit'],
    ['is ended if its client waits to continue by itself', true, true, 'end_agent'],
    ['is ended if its client keeps repeating the request', true, false, 'end_agent'],
  ] as const)('[H56] during a handoff, an agent under a usage limit %s', (_, continuesItself, rested, kind) => {
    const { run, world } = new Turntable().upTo('shutting_down');
    const agent: Agent = { ...limited({ continuesItself }), rested };
    expect(shuttingDown.enter?.(run, { ...world, agent }).effects).toMatchObject([{ kind }]);
  });

  it('while a client repeats a refused request, the inbox shows the time of the next try but no end time of the usage limit', () => {
    const retrying = through(working(), hit({ until: null, retriesAt: RESET, continuesItself: true }));
    const [entry] = inboxEntriesForAgent(retrying, 'Con', false);
    expect(entry?.sentence).toBe(
      `Con (agent 7) is under a usage limit: ${WORDS}. The agent's client tries again on ${localTime(RESET)} and does not say when the limit ends.`,
    );
    expect(entry?.hint).toBe('Continue with another client now: baton handoff 7 --emergency --runtime TYPE');
    const refusal = validateRequest(retrying, [], undefined, { reason: undefined, note: undefined });
    expect(refusal).toMatchObject({
      hint: expect.stringContaining("the agent's client repeats the refused request by itself"),
    });
  });

  it.each([
    ['a prompt', { type: 'prompt_submitted', agentId: 7, promptId: 'p2', ref: null, excerpt: 'x', textHash: 'h' }],
    ['a tool', { type: 'tool_used', agentId: 7, promptId: 'p2', tool: 'Bash', phase: 'began' }],
    ['work on its screen', { type: 'agent_seen_working', agentId: 7 }],
  ] as const)('an agent is no longer limited after %s', (_, fact) => {
    expect(through(limited(), fact as AgentFact)).toMatchObject({ state: 'working', limit: null });
  });

  it('when a usage limit ends, the agent is idle, and by default Baton does not ask the agent to continue', () => {
    const { agent, effects } = applyFact(limited(), overByTime, RESET);
    expect(agent).toMatchObject({ state: 'idle', limit: null });
    expect(effects).toEqual([]);
  });

  it('if the operator chose to wait, Baton asks the agent once to continue when its usage limit ends', () => {
    const waiting = through(limited(), wait);
    const { agent, effects } = applyFact(waiting, overByTime, RESET);
    expect(effects).toEqual([
      { kind: 'type_continue', agentId: 7, ref: expect.stringMatching(/^abcdef12-continue-\d+$/) },
    ]);
    expect(applyFact(agent, overByTime, RESET).effects).toEqual([]);
  });

  it('if an agent began to work before its usage limit ended, Baton does not ask the agent to continue', () => {
    const busy = through(limited(), wait, { type: 'agent_seen_working', agentId: 7 });
    expect(applyFact(busy, overByTime, RESET).effects).toEqual([]);
  });

  it("another report about the same usage limit does not change the operator's choice to wait", () => {
    const more = through(limited({ until: null }), wait, hit());
    expect(more.limit).toMatchObject({ until: RESET, isAwaited: true });
  });

  it('[H56] an agent under a usage limit can be handed off only as an emergency', () => {
    const request = { reason: undefined, note: undefined };
    expect(validateRequest(limited(), [], undefined, request)).toMatchObject({
      code: 'agent_limited',
      hint: expect.stringContaining('baton handoff 7 --emergency --runtime TYPE'),
    });
    expect(validateEmergency(limited(), [], undefined, request)).toMatchObject({ reason: 'context_limit' });
    expect(validateEmergency(working(), [], undefined, request)).toMatchObject({ code: 'agent_still_active' });
  });

  it('the inbox shows when a usage limit ends, and the commands to wait or to continue elsewhere', () => {
    const [entry] = inboxEntriesForAgent(limited(), 'Con', false);
    expect(entry).toMatchObject({
      kind: 'decision',
      sentence: `Con (agent 7) is under a usage limit: ${WORDS}. The limit ends on ${localTime(RESET)}.`,
      hint: 'Continue with another client now: baton handoff 7 --emergency --runtime TYPE; continue when the limit ends: baton agent continue 7 --after-limit',
    });
    const [itself] = inboxEntriesForAgent(limited({ continuesItself: true }), 'Con', false);
    expect(itself?.sentence).toContain("The agent's client then continues by itself.");
    expect(itself?.hint).not.toContain('--after-limit');
  });
});

describe('the end of a usage limit', () => {
  it('a usage limit counts as ended at its end time, or ten minutes later if the client continues by itself', () => {
    const limit = { words: '', until: RESET, continuesItself: false };
    expect([isPast(limit, NOW), isPast(limit, RESET)]).toEqual([false, true]);
    expect(isPast({ ...limit, continuesItself: true }, RESET)).toBe(false);
    expect(isPast({ ...limit, continuesItself: true }, later(RESET, 600_000))).toBe(true);
    expect(isPast({ ...limit, until: null }, later(RESET, 86_400_000))).toBe(false);
  });

  it("a usage limit without a known end counts as ended if no report arrives within ten minutes after the client's retry", () => {
    const limit = { words: '', until: null, retriesAt: RESET, continuesItself: true };
    expect([isPast(limit, later(RESET, 60_000)), isPast(limit, later(RESET, 600_000))]).toEqual([false, true]);
  });
});
