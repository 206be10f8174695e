import { describe, expect, it } from 'vitest';
import type { Agent } from '../../../src/domain/agents/agent.ts';
import { applyFact } from '../../../src/domain/agents/apply-fact.ts';
import { speaksFor } from '../../../src/domain/agents/correlate.ts';
import { retryPriming } from '../../../src/domain/agents/priming.ts';
import type { AgentFact, SessionSource } from '../../../src/domain/facts.ts';
import { after } from '../../../src/domain/instant.ts';
import { anAgent } from '../../adapters/stores/store-contract.ts';
import { PANE, stop, submitted, T0, tool } from '../handoffs/handoff-kit.ts';

const agent = (over: Partial<Agent> = {}): Agent => ({
  id: 1,
  hostId: 'h',
  tmuxSession: 'agent-1',
  ...anAgent({ state: 'starting', pane: PANE, ...over }),
});
const LATER = after(T0, 60_000);
const after1 = (start: Agent, ...facts: unknown[]): Agent =>
  facts.reduce<Agent>((now, fact) => applyFact(now, fact as AgentFact, T0).agent, start);
const started = (source: string): unknown => ({
  type: 'session_started',
  agentId: 1,
  runtimeSessionId: `s-${source}`,
  source,
  transcriptPath: '/t',
});

describe('the state of an agent', () => {
  it("[F50] if no hook arrives, the agent's state follows its screen", () => {
    const asking = after1(agent(), { type: 'agent_seen_asking', agentId: 1, question: 'use this key?' });
    expect(asking).toMatchObject({ state: 'awaiting_input', stateReason: expect.stringContaining('use this key?') });
    const idle = after1(asking, started('startup'));
    expect(after1(idle, { type: 'agent_seen_working', agentId: 1 })).toMatchObject({ state: 'working' });
  });

  it('the state of an agent follows its hooks: idle, working, awaiting input, working, idle and ended', () => {
    const states: string[] = [];
    let now = agent();
    for (const fact of [
      started('startup'),
      submitted(1, 'p', null),
      { type: 'input_requested', agentId: 1, promptId: 'p', question: 'may I?' },
      tool(1, 'p'),
      stop(1, 'p'),
    ]) {
      now = after1(now, fact);
      states.push(now.state);
    }
    expect(states).toEqual(['idle', 'working', 'awaiting_input', 'working', 'idle']);
    expect(after1(agent(), started('startup'), { type: 'agent_process_gone', agentId: 1, detail: 'x' })).toMatchObject({
      state: 'ended',
      endedAt: T0,
    });
  });

  it('[F25] an agent counts as working while a background subagent runs', () => {
    const ended = (...background: readonly { kind: string; what: string }[]) =>
      after1(agent(), started('startup'), submitted(1, 'p', null), {
        ...(stop(1, 'p') as object),
        backgroundTasks: background.length,
        background,
      });
    const shell = { kind: 'shell', what: 'npm run dev' };
    expect(ended({ kind: 'subagent', what: 'look around' })).toMatchObject({
      state: 'working',
      stateReason: 'finished its turn, but 1 background task still runs',
      rested: false,
    });
    expect(ended(shell, { kind: 'subagent', what: 'look around' }).state).toBe('working');
    expect(ended(shell)).toMatchObject({
      state: 'idle',
      stateReason: 'finished its turn; 1 background shell still runs',
      background: [shell],
    });
    expect(ended()).toMatchObject({ state: 'idle', stateReason: 'finished its turn', background: [] });
  });

  it('if another prompt is queued, the agent stays "working" after a turn', () => {
    const queued = after1(agent(), started('startup'), submitted(1, 'p', null), submitted(1, 'p', null));
    const between = after1(queued, stop(1, 'p'));
    expect(between).toMatchObject({
      state: 'working',
      stateReason: 'starts with the prompt that was queued during its turn',
    });
    expect(after1(between, stop(1, 'q'))).toMatchObject({ state: 'idle', rested: true });
    // Simulate a prompt that is typed while a tool runs: the model gets the prompt with the tool's result, in the same
    // turn.
    const joined = after1(queued, { ...(tool(1, 'p') as object), phase: 'ended' }, stop(1, 'p'));
    expect(joined.state).toBe('idle');
  });

  it('an agent counts as working during a manual compaction', () => {
    const compacting = after1(agent(), started('startup'), {
      type: 'compaction_started',
      agentId: 1,
      trigger: 'manual',
    });
    expect(compacting.state).toBe('working');
    expect(after1(compacting, started('compact')).state).toBe('idle');
    expect(after1(compacting, { type: 'compaction_ended', agentId: 1 }).state).toBe('idle');
    const inTurn = after1(agent(), started('startup'), submitted(1, 'p', null), {
      type: 'compaction_started',
      agentId: 1,
      trigger: 'auto',
    });
    expect(after1(inTurn, started('compact'), { type: 'compaction_ended', agentId: 1 }).state).toBe('working');
  });

  it("an idle notification of the client changes the agent's state from unknown to idle", () => {
    const lost = { type: 'agent_seen_unknown', agentId: 1, line: null };
    const unknown = after1(agent(), started('startup'), submitted(1, 'p', null), lost);
    expect(unknown).toMatchObject({ state: 'unknown', rested: false });
    expect(after1(unknown, { type: 'agent_said_idle', agentId: 1, promptId: 'p' }).state).toBe('idle');
    expect(after1(unknown, { type: 'agent_said_idle', agentId: 1, promptId: 'o' }).state).toBe('unknown');
  });

  it('[F25] an agent counts as working while unnamed background tasks are running', () => {
    const busy = after1(agent(), started('startup'), {
      type: 'turn_ended',
      agentId: 1,
      promptId: 'p',
      backgroundTasks: 2,
    });
    expect(busy.state).toBe('working');
  });

  it('[F23] the late Stop hook of an earlier turn does not end the current turn', () => {
    const second = after1(agent(), started('startup'), submitted(1, 'p', null), stop(1, 'p'), submitted(1, 'q', null));
    expect(after1(second, stop(1, 'p'))).toMatchObject({ state: 'working', turnPromptId: 'q' });
    const failed = { type: 'turn_failed', agentId: 1, promptId: 'p', error: 'x' };
    expect(after1(second, failed)).toMatchObject({ state: 'working', turnPromptId: 'q' });
    expect(after1(second, stop(1, 'q')).state).toBe('idle');
    // The end of any turn must make the agent idle if the prompt's hook was lost, or if the runtime sends no turn ids.
    expect(after1(second, stop(1, 'q'), tool(1, 'r'), stop(1, 'r')).state).toBe('idle');
    expect(after1(second, { ...(stop(1, 'q') as object), promptId: null }).state).toBe('idle');
  });

  it('an idle notification of the client ends only the turn that the notification names', () => {
    const working = after1(agent(), started('startup'), submitted(1, 'p', null));
    const said = (promptId: string | null) => ({ type: 'agent_said_idle', agentId: 1, promptId });
    expect(after1(working, said('p'))).toMatchObject({ state: 'idle', turnPromptId: null });
    expect(after1(working, said('o')).state).toBe('working');
    expect(after1(working, said(null)).state).toBe('working');
    const asking = { type: 'input_requested', agentId: 1, promptId: 'p', question: 'may I?' };
    expect(after1(working, asking, said('p')).state).toBe('awaiting_input');
  });

  it('[F14] an agent is "awaiting_input" while another program uses its terminal', () => {
    const taken = { type: 'terminal_taken', agentId: 1 };
    const returned = { type: 'terminal_returned', agentId: 1 };
    const without = after1(agent(), started('startup'), taken);
    expect(without).toMatchObject({ state: 'awaiting_input', stateCause: 'terminal_taken' });
    expect(after1(without, returned).state).toBe('idle');
    expect(after1(agent(), started('startup'), submitted(1, 'p', null), taken, returned).state).toBe('working');
    const asking = after1(agent(), { type: 'input_requested', agentId: 1, promptId: 'p', question: 'may I?' });
    expect(after1(asking, returned).stateReason).toBe('may I?');
  });

  it('compaction does not end the current turn', () => {
    const working = after1(agent(), started('startup'), submitted(1, 'p', null));
    expect(after1(working, started('compact'))).toMatchObject({ state: 'working', turnPromptId: 'p' });
    expect(after1(working, started('clear'))).toMatchObject({ state: 'idle', runtimeSessionId: 's-clear', id: 1 });
  });

  describe('an agent whose process has ended', () => {
    const gone: AgentFact = { type: 'agent_process_gone', agentId: 1, detail: 'x' };

    it.each(['startup', 'clear', 'resume', 'compact'] as const)(
      'a late hook (%s) does not make an ended agent live again',
      (source) => {
        for (const before of [agent({ personaId: 1 }), agent({ personaId: 1, isLeaving: true })]) {
          const ended = after1(before, gone);
          const step = applyFact(ended, started(source) as AgentFact, LATER);
          expect(step.agent).toMatchObject({ state: 'ended', stateReason: 'x', endedAt: ended.endedAt });
          expect([step.agent.isLeaving, step.effects, step.notices]).toEqual([before.isLeaving, [], []]);
          // The session id must be stored even for an ended agent, because `baton agent resume` needs it.
          expect(step.agent).toMatchObject({ runtimeSessionId: `s-${source}`, registeredAt: LATER });
          expect(after1(ended, tool(1, 'p'), stop(1, 'p'), submitted(1, 'q', null))).toEqual(ended);
        }
      },
    );

    it('an ended agent whose pane Baton never saw returns to the state "starting" when its session start hook arrives', () => {
      const back = after1(agent({ pane: null }), gone, started('startup'));
      expect(back).toMatchObject({ state: 'starting', stateCause: 'launch_unknown', endedAt: null });
      expect(after1(back, { type: 'agent_launched', agentId: 1, pane: PANE })).toMatchObject({
        state: 'idle',
        pane: PANE,
      });
      expect(after1(back, gone)).toMatchObject({ state: 'ended' });
    });
  });

  it("the last prompt of an agent is the operator's last prompt, even if Baton has typed another prompt since", () => {
    const asked = { ...submitted(1, 'p', null), excerpt: 'fix it' } as AgentFact;
    const told = after1(agent(), started('startup'), asked);
    expect(after1(told, { ...submitted(1, 'q', 'n-instruction'), excerpt: 'write' } as AgentFact).lastPrompt).toBe(
      'fix it',
    );
  });

  it("[T17] a nested session's hooks are ignored even if they carry the agent's token", () => {
    const parent = {
      state: 'idle',
      sessionUuid: 'uuid',
      runtimeSessionId: 'uuid',
      resumesSession: null,
      clientPid: 40,
    } as const;
    const says = (sessionId: string, startedBy: SessionSource | null, clientPid: number | null = 40) => ({
      sessionId,
      startedBy,
      clientPid,
    });
    expect(speaksFor(parent, says('uuid', null))).toBe(true);
    expect(speaksFor(parent, says('cleared', 'clear'))).toBe(true);
    // Baton must accept hooks from the agent's own process even if their session id is unknown, because the session
    // start hook that reports the new id after a /clear may have been lost.
    expect(speaksFor(parent, says('other', null))).toBe(true);
    expect(speaksFor(parent, says('other', null, 41))).toBe(false);
    expect(speaksFor({ ...parent, clientPid: null }, says('other', null, null))).toBe(false);
    expect(speaksFor(parent, says('other', 'startup'))).toBe(false);
    expect(speaksFor(parent, says('nested', 'clear', 41))).toBe(false);
    expect(speaksFor(parent, says('uuid', 'resume', 41))).toBe(false);
    expect(speaksFor({ ...parent, state: 'ended' }, says('uuid', 'resume', 41))).toBe(false);
    expect(speaksFor({ ...parent, state: 'ended' }, says('other', 'clear'))).toBe(true);
    const unborn = { ...parent, runtimeSessionId: null, clientPid: null };
    expect(speaksFor(unborn, says('uuid', 'startup'))).toBe(true);
    expect(speaksFor(unborn, says('nested', 'startup'))).toBe(false);
  });

  it("[T17] hooks of a restarted client process are accepted only if they belong to the agent's session", () => {
    const agentWithApi = {
      state: 'idle',
      sessionUuid: 'uuid',
      runtimeSessionId: 'thread',
      resumesSession: null,
      clientPid: 40,
    } as const;
    const says = (sessionId: string, isInPane: boolean) => ({ sessionId, startedBy: null, clientPid: 41, isInPane });
    expect(speaksFor(agentWithApi, says('thread', true))).toBe(true);
    expect(speaksFor(agentWithApi, says('thread', false))).toBe(false);
    expect(speaksFor(agentWithApi, says('nested', true))).toBe(false);
    expect(speaksFor(agentWithApi, { ...says('nested', true), startedBy: 'clear' })).toBe(false);
  });

  it('if the client chooses the session id, the agent gets the first id that the client reports', () => {
    const unborn = {
      state: 'starting',
      sessionUuid: 'uuid',
      runtimeSessionId: null,
      resumesSession: null,
      clientPid: null,
    } as const;
    const says = { sessionId: 'thread', startedBy: 'startup', clientPid: 40, idByClient: true } as const;
    expect(speaksFor(unborn, says)).toBe(true);
    expect(speaksFor({ ...unborn, resumesSession: 'thread' }, says)).toBe(true);
    expect(speaksFor({ ...unborn, resumesSession: 'other' }, says)).toBe(false);
  });
});

describe('skill injection', () => {
  const withPersona = (): Agent => agent({ personaId: 1 });

  it('an agent without a persona gets no skill', () => {
    expect(applyFact(agent(), started('startup') as AgentFact, T0).effects).toEqual([]);
  });

  it('an agent gets its skill when its first session starts, but not again when the next session starts', () => {
    const first = applyFact(withPersona(), started('startup') as AgentFact, T0);
    expect(first.effects.map(({ kind }) => kind)).toEqual(['prime_agent']);
    expect(applyFact(first.agent, started('clear') as AgentFact, T0).effects).toEqual([]);
  });

  it("the skill counts as given when the turn of Baton's skill prompt ends", () => {
    const typing = after1(withPersona(), started('startup'));
    const ref = typing.priming.status === 'typing' ? typing.priming.ref : '';
    expect(after1(typing, stop(1, 'x')).priming.status).toBe('typing');
    const submittedOurs = after1(typing, submitted(1, 'p', ref));
    expect(after1(submittedOurs, stop(1, 'x')).priming.status).toBe('typing');
    expect(after1(submittedOurs, stop(1, 'p')).priming).toEqual({ status: 'done', at: T0, warning: null });
  });

  it('a refused skill prompt is typed again after one second, unless the pane is gone', () => {
    const typing = after1(withPersona(), started('startup'));
    const ref = typing.priming.status === 'typing' ? typing.priming.ref : '';
    const refusal = (reason: string) => ({
      type: 'prompt_typed',
      agentId: 1,
      purpose: 'skill',
      ref,
      outcome: { verdict: 'refused', reason, detail: 'd' },
    });
    const waiting = after1(typing, refusal('dialog'));
    expect(retryPriming(waiting, T0).effects).toEqual([]);
    expect(retryPriming(waiting, after(T0, 1_000)).effects.map(({ kind }) => kind)).toEqual(['prime_agent']);
    const clockPutBack = '2026-11-14T08:00:00.000Z' as typeof T0;
    expect(retryPriming(waiting, clockPutBack).effects.map(({ kind }) => kind)).toEqual(['prime_agent']);
    expect(after1(typing, refusal('pane_gone')).priming.status).toBe('failed');
  });

  it('if the turn that reads the skill fails, the skill of the agent counts as failed', () => {
    const typing = after1(withPersona(), started('startup'));
    const ref = typing.priming.status === 'typing' ? typing.priming.ref : '';
    const step = applyFact(
      after1(typing, submitted(1, 'p', ref)),
      { type: 'turn_failed', agentId: 1, promptId: 'p', error: '500' },
      T0,
    );
    expect(step.agent.priming.status).toBe('failed');
    expect(step.notices.some(({ type }) => type === 'agent_warning')).toBe(true);
  });
});

describe('a persona assigned to a running agent', () => {
  const given = { type: 'persona_given', agentId: 1, personaId: 5, slug: 'developer-con-5' } as const;
  const resting = agent({ state: 'idle', registeredAt: T0 });

  it('an idle agent that is assigned a persona is given the skill once', () => {
    const first = applyFact(resting, given, T0);
    expect(first.agent).toMatchObject({ personaId: 5, lastSeenAt: resting.lastSeenAt, state: 'idle' });
    expect(first.effects).toMatchObject([{ kind: 'prime_agent', agentId: 1 }]);
    expect(applyFact(first.agent, given, T0)).toMatchObject({ agent: first.agent, effects: [] });
  });

  it('[H25] a starting agent that is assigned a persona receives the skill when its session starts', () => {
    const starting = applyFact(agent(), given, T0);
    expect([starting.agent.personaId, starting.effects]).toEqual([5, []]);
    expect(applyFact(starting.agent, started('startup') as AgentFact, T0).effects).toMatchObject([
      { kind: 'prime_agent' },
    ]);
    const withSkill = { ...(started('startup') as object), skillGiven: 'x' } as AgentFact;
    expect(applyFact(starting.agent, withSkill, T0)).toMatchObject({
      agent: { priming: { status: 'done' } },
      effects: [],
    });
  });

  it('assigning a persona to an agent that has another persona or has ended changes nothing', () => {
    for (const other of [agent({ personaId: 2, registeredAt: T0 }), agent({ state: 'ended', registeredAt: T0 })])
      expect(applyFact(other, given, T0)).toMatchObject({ agent: { personaId: other.personaId }, effects: [] });
  });
});
