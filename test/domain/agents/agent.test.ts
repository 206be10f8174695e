import { describe, expect, it } from 'vitest';
import type { Agent } from '../../../src/domain/agents/agent.ts';
import { applyFact } from '../../../src/domain/agents/apply-fact.ts';
import { speaksFor } from '../../../src/domain/agents/correlate.ts';
import { explainEvent } from '../../../src/domain/agents/explain.ts';
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

describe('agent state derived from facts', () => {
  it('[F50] follows the screen when no hook arrives', () => {
    const asking = after1(agent(), { type: 'agent_seen_asking', agentId: 1, question: 'use this key?' });
    expect(asking).toMatchObject({ state: 'awaiting_input', stateReason: expect.stringContaining('use this key?') });
    const idle = after1(asking, started('startup'));
    expect(after1(idle, { type: 'agent_seen_working', agentId: 1 })).toMatchObject({ state: 'working' });
  });

  it('goes through starting, working, asking, working, idle and ended', () => {
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

  it('[F25] a background subagent keeps the agent working; a background shell does not and is named', () => {
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

  it('a prompt queued during a turn keeps the agent working, although its hook has the id of the running turn', () => {
    const queued = after1(agent(), started('startup'), submitted(1, 'p', null), submitted(1, 'p', null));
    const between = after1(queued, stop(1, 'p'));
    expect(between).toMatchObject({
      state: 'working',
      stateReason: 'starts on the prompt that was queued behind its turn',
    });
    expect(after1(between, stop(1, 'q'))).toMatchObject({ state: 'idle', rested: true });
    // A prompt typed while a tool ran reaches the model with the tool's result, in the same turn.
    const joined = after1(queued, { ...(tool(1, 'p') as object), phase: 'ended' }, stop(1, 'p'));
    expect(joined.state).toBe('idle');
  });

  it('manual compaction counts as work; it has no Stop and ends with its own hooks', () => {
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

  it('the idle notification makes an agent in state unknown idle', () => {
    const lost = { type: 'agent_seen_unknown', agentId: 1, line: null };
    const unknown = after1(agent(), started('startup'), submitted(1, 'p', null), lost);
    expect(unknown).toMatchObject({ state: 'unknown', rested: false });
    expect(after1(unknown, { type: 'agent_said_idle', agentId: 1, promptId: 'p' }).state).toBe('idle');
    expect(after1(unknown, { type: 'agent_said_idle', agentId: 1, promptId: 'o' }).state).toBe('unknown');
  });

  it('[F25] unnamed background tasks keep the agent working', () => {
    const busy = after1(agent(), started('startup'), {
      type: 'turn_ended',
      agentId: 1,
      promptId: 'p',
      backgroundTasks: 2,
    });
    expect(busy.state).toBe('working');
  });

  it('[F23] the late or repeated end of an earlier turn does not end the current turn', () => {
    const second = after1(agent(), started('startup'), submitted(1, 'p', null), stop(1, 'p'), submitted(1, 'q', null));
    expect(after1(second, stop(1, 'p'))).toMatchObject({ state: 'working', turnPromptId: 'q' });
    const failed = { type: 'turn_failed', agentId: 1, promptId: 'p', error: 'x' };
    expect(after1(second, failed)).toMatchObject({ state: 'working', turnPromptId: 'q' });
    expect(after1(second, stop(1, 'q')).state).toBe('idle');
    // If the prompt hook was lost, or the runtime sends no turn ids, any end of turn counts.
    expect(after1(second, stop(1, 'q'), tool(1, 'r'), stop(1, 'r')).state).toBe('idle');
    expect(after1(second, { ...(stop(1, 'q') as object), promptId: null }).state).toBe('idle');
  });

  it('the idle notification ends only the turn it names', () => {
    const working = after1(agent(), started('startup'), submitted(1, 'p', null));
    const said = (promptId: string | null) => ({ type: 'agent_said_idle', agentId: 1, promptId });
    expect(after1(working, said('p'))).toMatchObject({ state: 'idle', turnPromptId: null });
    expect(after1(working, said('o')).state).toBe('working');
    expect(after1(working, said(null)).state).toBe('working');
    const asking = { type: 'input_requested', agentId: 1, promptId: 'p', question: 'may I?' };
    expect(after1(working, asking, said('p')).state).toBe('awaiting_input');
  });

  it('[F14] is awaiting_input while another program uses the terminal, then returns to the previous state', () => {
    const taken = { type: 'terminal_taken', agentId: 1 };
    const returned = { type: 'terminal_returned', agentId: 1 };
    const without = after1(agent(), started('startup'), taken);
    expect(without).toMatchObject({ state: 'awaiting_input', stateCause: 'terminal_taken' });
    expect(after1(without, returned).state).toBe('idle');
    expect(after1(agent(), started('startup'), submitted(1, 'p', null), taken, returned).state).toBe('working');
    const asking = after1(agent(), { type: 'input_requested', agentId: 1, promptId: 'p', question: 'may I?' });
    expect(after1(asking, returned).stateReason).toBe('may I?');
  });

  it('every fact that changes the state is explained in one line', () => {
    const told = (type: string, data: object) => explainEvent({ type, data: { agentId: 1, ...data } });
    expect(told('prompt_submitted', { promptId: 'p', ref: null, excerpt: 'two\nlines' })).toBe(
      'Hook: prompt submitted: "two lines"',
    );
    expect(told('tool_used', { promptId: 'p', tool: 'x'.repeat(500), phase: 'began' })?.length).toBeLessThan(160);
    const refused = { verdict: 'refused', reason: 'dialog', detail: 'a dialog is open' };
    expect(told('prompt_typed', { purpose: 'skill', ref: 'r', outcome: refused })).toContain('a dialog is open');
    expect(told('context_measured', { usedPercent: 3 })).toBeUndefined();
    expect(told('toString', {})).toBeUndefined();
  });

  it('compaction within a turn keeps the turn; /clear gives the same agent a new session', () => {
    const working = after1(agent(), started('startup'), submitted(1, 'p', null));
    expect(after1(working, started('compact'))).toMatchObject({ state: 'working', turnPromptId: 'p' });
    expect(after1(working, started('clear'))).toMatchObject({ state: 'idle', runtimeSessionId: 's-clear', id: 1 });
  });

  describe('an agent whose process has ended', () => {
    const gone: AgentFact = { type: 'agent_process_gone', agentId: 1, detail: 'x' };

    it.each(['startup', 'clear', 'resume', 'compact'] as const)(
      'is not revived or primed by a late hook (%s)',
      (source) => {
        for (const before of [agent({ personaId: 1 }), agent({ personaId: 1, isLeaving: true })]) {
          const ended = after1(before, gone);
          const step = applyFact(ended, started(source) as AgentFact, LATER);
          expect(step.agent).toMatchObject({ state: 'ended', stateReason: 'x', endedAt: ended.endedAt });
          expect([step.agent.isLeaving, step.effects, step.notices]).toEqual([before.isLeaving, [], []]);
          // `baton agent resume` needs the session id, so it is stored even now.
          expect(step.agent).toMatchObject({ runtimeSessionId: `s-${source}`, registeredAt: LATER });
          expect(after1(ended, tool(1, 'p'), stop(1, 'p'), submitted(1, 'q', null))).toEqual(ended);
        }
      },
    );

    it('is looked for again if its pane was never seen and its session start arrives', () => {
      const back = after1(agent({ pane: null }), gone, started('startup'));
      expect(back).toMatchObject({ state: 'starting', stateCause: 'launch_unknown', endedAt: null });
      expect(after1(back, { type: 'agent_launched', agentId: 1, pane: PANE })).toMatchObject({
        state: 'idle',
        pane: PANE,
      });
      expect(after1(back, gone)).toMatchObject({ state: 'ended' });
    });
  });

  it("the last prompt is the last one from the operator, not one of Baton's own", () => {
    const asked = { ...submitted(1, 'p', null), excerpt: 'fix it' } as AgentFact;
    const told = after1(agent(), started('startup'), asked);
    expect(after1(told, { ...submitted(1, 'q', 'n-instruction'), excerpt: 'write' } as AgentFact).lastPrompt).toBe(
      'fix it',
    );
  });

  it('[T17] a nested session with the same token is not mistaken for its parent session', () => {
    const parent = { state: 'idle', sessionUuid: 'uuid', runtimeSessionId: 'uuid', clientPid: 40 } as const;
    const says = (sessionId: string, startedBy: SessionSource | null, clientPid: number | null = 40) => ({
      sessionId,
      startedBy,
      clientPid,
    });
    expect(speaksFor(parent, says('uuid', null))).toBe(true);
    expect(speaksFor(parent, says('cleared', 'clear'))).toBe(true);
    // The session start after a /clear may be lost: accept hooks from the agent's own process anyway.
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
});

describe('skill injection', () => {
  const withPersona = (): Agent => agent({ personaId: 1 });

  it('never happens for an agent without a persona', () => {
    expect(applyFact(agent(), started('startup') as AgentFact, T0).effects).toEqual([]);
  });

  it('begins with the first session start and is not repeated at the next one', () => {
    const first = applyFact(withPersona(), started('startup') as AgentFact, T0);
    expect(first.effects.map(({ kind }) => kind)).toEqual(['prime_agent']);
    expect(applyFact(first.agent, started('clear') as AgentFact, T0).effects).toEqual([]);
  });

  it("is done when the turn of Baton's own prompt ends, not when another turn ends", () => {
    const typing = after1(withPersona(), started('startup'));
    const ref = typing.priming.status === 'typing' ? typing.priming.ref : '';
    expect(after1(typing, stop(1, 'x')).priming.status).toBe('typing');
    const submittedOurs = after1(typing, submitted(1, 'p', ref));
    expect(after1(submittedOurs, stop(1, 'x')).priming.status).toBe('typing');
    expect(after1(submittedOurs, stop(1, 'p')).priming).toEqual({ status: 'done', at: T0, warning: null });
  });

  it('retries a refused prompt after one second, but not when the agent is gone', () => {
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

  it('fails, with a warning, when the turn that contains the skill fails', () => {
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

  it('is typed once, because the session began without it; a repeated fact changes nothing', () => {
    const first = applyFact(resting, given, T0);
    expect(first.agent).toMatchObject({ personaId: 5, lastSeenAt: resting.lastSeenAt, state: 'idle' });
    expect(first.effects).toMatchObject([{ kind: 'prime_agent', agentId: 1 }]);
    expect(applyFact(first.agent, given, T0)).toMatchObject({ agent: first.agent, effects: [] });
  });

  it('[H25] is delivered with the session start if the agent is still starting', () => {
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

  it('never replaces another persona and types nothing to an ended agent', () => {
    for (const other of [agent({ personaId: 2, registeredAt: T0 }), agent({ state: 'ended', registeredAt: T0 })])
      expect(applyFact(other, given, T0)).toMatchObject({ agent: { personaId: other.personaId }, effects: [] });
  });
});
