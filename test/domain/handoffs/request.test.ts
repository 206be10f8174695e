import { describe, expect, it } from 'vitest';
import type { Agent } from '../../../src/domain/agents/agent.ts';
import { agentNotFound } from '../../../src/domain/agents/refuse-unreachable.ts';
import { validateEmergency, validateRequest } from '../../../src/domain/handoffs/request.ts';
import type { Handoff, Run } from '../../../src/domain/handoffs/run.ts';
import { REFUSAL_STATUS, type RefusalCode } from '../../../src/domain/refusals.ts';
import { anAgent, aRun } from '../../adapters/stores/store-contract.ts';
import { PANE, T0 } from './handoff-kit.ts';

const agent = (over: Partial<Agent> = {}): Agent => ({
  id: 1,
  hostId: 'h',
  tmuxSession: 'agent-1',
  ...anAgent({ personaId: 1, pane: PANE, ...over }),
});
const run = (over: Partial<Run>): Run => ({ id: 5, hostId: 'h', ...aRun(1), ...over });
const record: Handoff = {
  id: 1,
  agentId: 1,
  reason: 'context_limit',
  filePath: null,
  injectionPrompt: null,
  createdAt: T0,
};
const ask = { reason: 'context_limit', note: undefined };

const refused = (given: ReturnType<typeof validateRequest>): [number, string] => {
  if (!('code' in given)) throw new Error('was not refused');
  return [REFUSAL_STATUS[given.code as RefusalCode], given.sentence];
};

describe('[H1] a handoff request', () => {
  it('[000 Valid handoff trigger] [001 DoD 1] [002 FR1] [002 FR2] a handoff request for an active agent with persona and pane is accepted', () => {
    expect(validateRequest(agent(), [], undefined, ask)).toEqual({
      reason: 'context_limit',
      note: null,
      review: 'not_wanted',
      background: 'stop',
    });
  });

  it('[000 Agent without persona] a handoff request for an agent without a persona is refused with 400', () => {
    expect(refused(validateRequest(agent({ personaId: null }), [], undefined, ask))).toEqual([
      400,
      'Agent has no persona',
    ]);
  });

  it('[000 Agent without tmux pane] a handoff request for an agent without a tmux pane is refused', () => {
    const [status, sentence] = refused(validateRequest(agent({ pane: null }), [], undefined, ask));
    expect(status).toBe(400);
    expect(sentence).toContain('no tmux pane');
  });

  it('[000 Agent already ended] a handoff request for an ended agent is refused with 400', () => {
    expect(refused(validateRequest(agent({ state: 'ended', endedAt: T0 }), [], undefined, ask))).toEqual([
      400,
      'Agent is not active',
    ]);
  });

  it('[H44] if the agent ended without a handoff record, the refusal of a handoff request suggests an emergency handoff', () => {
    const ended = agent({ state: 'ended', endedAt: T0 });
    expect(validateRequest(ended, [], undefined, ask)).toMatchObject({
      hint: expect.stringContaining('baton handoff 1 --emergency'),
    });
    for (const other of [
      validateRequest(ended, [], record, ask),
      validateRequest({ ...ended, personaId: null }, [], undefined, ask),
    ])
      expect(other).toMatchObject({ hint: expect.not.stringContaining('--emergency') });
  });

  it('[S-7] the refusal of a handoff request always names a command that helps', () => {
    for (const [over, command] of [
      [{ personaId: null }, 'baton agent give-persona 1'],
      [{ pane: null }, 'baton agent why 1'],
      [{ state: 'ended', personaId: null }, 'baton agent list'],
    ] as const)
      expect(validateRequest(agent(over), [], undefined, ask)).toMatchObject({
        hint: expect.stringContaining(command),
      });
  });

  it('[000 Agent already has handoff record] a handoff request for an agent that has a handoff record is refused with 409', () => {
    expect(refused(validateRequest(agent(), [], record, ask))).toEqual([409, 'Handoff already in progress']);
  });

  it('[S-14] [002 FR2] a handoff request with an unknown agent and an invalid reason is refused because of the agent', () => {
    for (const reason of [5, {}, ['context_limit'], true]) {
      expect(refused(validateRequest(agentNotFound(99), [], undefined, { ...ask, reason }))).toEqual([
        404,
        'Agent 99 not found',
      ]);
      expect(refused(validateRequest(agent(), [], undefined, { ...ask, reason }))[0]).toBe(400);
    }
  });

  it('a handoff request for an agent that does not exist is refused with 404', () => {
    expect(refused(validateRequest(agentNotFound(99), [], undefined, ask))).toEqual([404, 'Agent 99 not found']);
  });

  it('during a run, the refusal of a handoff request names the run, even if the agent has ended and has no persona', () => {
    const given = validateRequest(
      agent({ state: 'ended', personaId: null }),
      [run({ step: 'shutting_down' })],
      undefined,
      ask,
    );
    expect(given).toMatchObject({ code: 'handoff_in_progress', runId: 5, runStep: 'shutting_down' });
  });

  it.each([
    [
      run({ step: 'awaiting_acknowledgement', agentId: 7, successorAgentId: 1 }),
      'Handoff 5 to agent 1 is in progress.',
    ],
    [run({ step: 'shutting_down' }), 'Handoff 5 of this agent is in progress.'],
    [run({ step: 'completed', handoffId: 1 }), 'Handoff 5 has already handed this agent off.'],
  ])('the refusal of an emergency handoff describes run %# as it is', (given, says) => {
    const judged = validateEmergency(agent({ state: 'ended' }), [given], record, ask);
    expect(judged).toMatchObject({
      sentence: 'Handoff already in progress',
      hint: expect.stringContaining(`${says} `),
    });
  });

  it('after a failed run with a handoff record, another handoff request is refused', () => {
    const failure = { at: 'shutting_down', code: 'did_not_exit', sentence: 's', hint: 'h' } as const;
    expect(validateRequest(agent(), [run({ step: 'failed', failure, handoffId: 3 })], record, ask)).toMatchObject({
      code: 'handoff_in_progress',
      runId: 5,
    });
    expect(validateRequest(agent(), [run({ step: 'failed', failure })], undefined, ask)).toEqual({
      reason: 'context_limit',
      note: null,
      review: 'not_wanted',
      background: 'stop',
    });
  });

  it('[H2] [003 Handoff reason field] a handoff request with an unknown reason is refused with a list of the three allowed reasons', () => {
    for (const reason of ['context_limit', 'shift_end', 'task_boundary']) {
      expect(validateRequest(agent(), [], undefined, { reason, note: undefined })).toEqual({
        reason,
        note: null,
        review: 'not_wanted',
        background: 'stop',
      });
    }
    expect(validateRequest(agent(), [], undefined, { reason: undefined, note: ' x ' })).toEqual({
      reason: 'context_limit',
      note: 'x',
      review: 'not_wanted',
      background: 'stop',
    });
    const [status, sentence] = refused(validateRequest(agent(), [], undefined, { reason: 'bored', note: undefined }));
    expect(status).toBe(400);
    for (const reason of ['bored', 'context_limit', 'shift_end', 'task_boundary']) expect(sentence).toContain(reason);
  });

  it('a handoff request with an unknown reason for an agent without a persona is refused because of the missing persona', () => {
    expect(
      refused(validateRequest(agent({ personaId: null }), [], undefined, { reason: 'bored', note: undefined }))[1],
    ).toBe('Agent has no persona');
  });

  it('[T7] control characters are removed from the note of a handoff request', () => {
    expect(validateRequest(agent(), [], undefined, { reason: undefined, note: 'a\u0000b\u001b[201~c\nd' })).toEqual({
      reason: 'context_limit',
      note: 'ab[201~c\nd',
      review: 'not_wanted',
      background: 'stop',
    });
  });

  it('a handoff request is refused if its note is too long', () => {
    expect(
      refused(validateRequest(agent(), [], undefined, { reason: undefined, note: 'x'.repeat(2_001) }))[1],
    ).toContain('2001');
  });
});

describe('[H44] an emergency handoff of a live agent', () => {
  it('the refusal of an emergency handoff suggests the usual handoff if that is possible', () => {
    expect(validateEmergency(agent(), [], undefined, ask)).toMatchObject({ hint: 'Use: baton handoff 1' });
  });

  it('the refusal of an emergency handoff names a canceled handoff that has a record', () => {
    const canceled = run({ step: 'cancelled', handoffId: 1 });
    expect(validateEmergency(agent(), [canceled], record, ask)).toMatchObject({
      code: 'handoff_in_progress',
      hint: expect.stringContaining('baton handoff resume 5'),
    });
  });

  it.each(['idle', 'limited'] as const)(
    'the refusal of an emergency handoff says how to give a persona to an agent without one (%s)',
    (state) => {
      expect(validateEmergency(agent({ state, personaId: null }), [], undefined, ask)).toMatchObject({
        code: 'agent_has_no_persona',
        hint: expect.stringContaining('baton agent give-persona 1 SLUG'),
      });
    },
  );
});

describe('[H43] a handoff request after an undo', () => {
  it('after an undo, the refusal of an emergency handoff names the agent that resumed the conversation', () => {
    const ended = agent({ state: 'ended', endedAt: T0 });
    const undone = run({ step: 'cancelled', handoffId: 1, broughtBackAgentId: 4 });
    const judged = validateEmergency(ended, [undone], record, ask);
    expect(judged).toMatchObject({ code: 'handoff_in_progress', hint: expect.stringContaining('agent 4') });
    expect(judged).not.toMatchObject({ hint: expect.stringContaining('resume') });
  });

  it.each([
    [
      'an ended successor',
      { id: 2, state: 'ended', endedAt: T0 },
      (successor: Agent, run: Run) => validateEmergency(successor, [run], undefined, ask),
    ],
    ['a live successor', { id: 2 }, (successor: Agent, run: Run) => validateRequest(successor, [run], undefined, ask)],
    [
      'the predecessor',
      { id: 1, state: 'ended', endedAt: T0 },
      (predecessor: Agent, run: Run) => validateEmergency(predecessor, [run], record, ask),
    ],
  ] as const)(
    'after a failed undo, the refusal of a handoff of %s says that the undo must be finished',
    (_, over, judge) => {
      const failure = { at: 'undoing', code: 'successor_did_not_end', sentence: 's', hint: 'h' } as const;
      expect(judge(agent(over), run({ step: 'failed', failure, handoffId: 1, successorAgentId: 2 }))).toMatchObject({
        code: 'handoff_in_progress',
        hint: 'The undo of handoff 5 failed. Finish the undo, so that Baton resumes the conversation of agent 1: baton handoff retry 5',
      });
    },
  );
});
