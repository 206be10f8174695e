import { describe, expect, it } from 'vitest';
import { agentNotFound } from '../../../src/domain/agents/refuse-unreachable.ts';
import { beginEmergency } from '../../../src/domain/handoffs/advance.ts';
import { emergencyPrompt } from '../../../src/domain/handoffs/prompts/emergency-prompt.ts';
import { validateEmergency } from '../../../src/domain/handoffs/request.ts';
import { isRefusal, REFUSAL_STATUS } from '../../../src/domain/refusals.ts';
import {
  compared,
  goodDocument,
  place,
  primeSuccessor,
  stop,
  submitted,
  Turntable,
  tool,
  typed,
} from './handoff-kit.ts';

const MINUTE = 60_000;
const gone = (agentId: number) => ({ type: 'agent_process_gone', agentId, detail: 'its process has ended' }) as const;
const checked = (verdict: 'missing' | 'empty') =>
  ({ type: 'document_checked', runId: 7, result: { verdict } }) as const;
const missing = checked('missing');
const noDocument = (): Turntable => new Turntable().upTo('verifying').fact(missing);
const didNotExit = (): Turntable => new Turntable().upTo('shutting_down').wait(31_000);
const atPrompt = (): Turntable => primeSuccessor(new Turntable().upTo('injecting_skill')).upTo('delivering_prompt');
const refs = (table: Turntable, kind: string): string[] =>
  table.effects.flatMap((effect) => (effect.kind === kind && 'ref' in effect ? [effect.ref] : []));

describe('actions on a run', () => {
  it('[H35] a run offers no actions as soon as its agent has a newer run', () => {
    const table = noDocument();
    expect(table.offered()).not.toEqual([]);
    table.newerRunId = 8;
    expect(table.offered()).toEqual([]);
    expect(table.choose('check_again').run.step).toBe('failed');
  });

  it('[H35] a run offers no actions as soon as its successor has its own run', () => {
    const table = atPrompt().wait(31_000);
    expect(table.offered()).toEqual(expect.arrayContaining(['check_again', 'force_exit']));
    table.newerRunId = 8;
    expect(table.offered()).toEqual([]);
    expect(table.choose('check_again').run.step).toBe('failed');
  });

  it('[H35] [H45] if a document arrives late and there is a newer run, the warning does not offer the action "check-again"', () => {
    const table = noDocument();
    table.newerRunId = 8;
    table.fact({ type: 'late_document_seen', runId: 7 });
    expect(table.run.lateDocument).toBe(true);
    expect(table.run.warnings.join()).toContain('Handoff 8 is newer');
    expect(table.run.warnings.join()).not.toContain('check-again');
  });

  it('an action that a run does not offer changes nothing', () => {
    const table = new Turntable().upTo('awaiting_document');
    const before = table.run;
    for (const action of ['retry', 'force_exit', 'approve', 'resume', 'undo', 'check_again'] as const)
      expect(table.choose(action).run).toBe(before);
  });

  it('[H36] after the action "wait", the agent again has the full time to become idle', () => {
    const table = new Turntable({ state: 'working' }).fact(place).wait(9 * MINUTE);
    expect(table.offered()).toEqual(['wait', 'interrupt', 'cancel']);
    table.choose('wait').wait(9 * MINUTE);
    expect(table.run.step).toBe('waiting_safe_point');
    table.wait(2 * MINUTE);
    expect(table.run.failure?.code).toBe('no_safe_point');
    table.choose('wait');
    expect([table.run.step, table.run.failure]).toEqual(['waiting_safe_point', null]);
    expect(table.wait(9 * MINUTE).run.step).toBe('waiting_safe_point');
    expect(table.fact(stop(1, null)).run.step).toBe('instructing');
  });

  it('[H36] a run that continues after a halt gets a full new deadline, however long it was halted', () => {
    const table = new Turntable().upTo('awaiting_document').wait(11 * MINUTE);
    expect(table.run.failure?.code).toBe('document_timeout');
    // Move the clock directly, because a run that has ended gets no clock ticks.
    table.now = new Date(Date.parse(table.now) + 5 * 3_600_000).toISOString() as typeof table.now;
    table.choose('wait').wait(11 * MINUTE);
    expect(table.run.failure?.code).toBe('document_timeout');
    expect(table.run.failures).toBe(2);
  });

  it('[H37] [F20] the action "interrupt" is offered only while the agent works', () => {
    const table = new Turntable({ state: 'working' }).fact(place);
    expect(table.choose('interrupt').kinds()).toContain('interrupt_agent');
    table.fact({ type: 'agent_seen_idle', agentId: 1 });
    expect(table.run.step).toBe('instructing');
    expect(table.offered()).not.toContain('interrupt');
  });

  it('[H38] the action "check-again" is offered if the agent is idle or its document is complete', () => {
    const table = new Turntable().upTo('awaiting_document').choose('cancel');
    table.fact({ type: 'agent_seen_working', agentId: 1 });
    expect(table.offered()).not.toContain('check_again');
    table.fact({ type: 'late_document_seen', runId: 7 });
    expect(table.offered()).toContain('check_again');
    expect(
      new Turntable()
        .upTo('awaiting_document')
        .choose('cancel')
        .fact({ type: 'agent_seen_idle', agentId: 1 })
        .offered(),
    ).toContain('check_again');
  });

  it('[H38] [F26] if the operator asks for the document again, Baton types a new prompt with the same document path', () => {
    const table = noDocument();
    expect(table.offered()).toEqual(['instruct_again', 'check_again', 'adopt', 'cancel']);
    const path = table.run.document?.path;
    table.choose('instruct_again');
    expect(table.run.step).toBe('instructing');
    expect(refs(table, 'type_instruction')).toEqual(['nonce-instruction', 'nonce-instruction-2']);
    table
      .fact(submitted(1, 'p9', 'nonce-instruction-2'))
      .fact(tool(1, 'p9'))
      .fact(stop(1, 'p9'))
      .fact(goodDocument);
    expect([table.run.step, table.run.document?.path]).toEqual(['recorded', path]);
  });

  it('[H38] the Stop hook of the first document request does not end the turn of the repeated request', () => {
    const table = noDocument()
      .choose('instruct_again')
      .fact(submitted(1, 'p9', 'nonce-instruction-2'))
      .fact(tool(1, 'p9'));
    expect(table.fact(stop(1, 'p1')).run.step).toBe('awaiting_document');
  });

  it('[H38] [F30] the action "check-again" continues the run with a document that arrived late, even if the agent is gone', () => {
    const table = noDocument().fact(gone(1));
    expect(table.offered()).toEqual(['check_again', 'adopt', 'cancel']);
    table.choose('check_again').fact(goodDocument);
    expect(table.run.handoffId).toBe(3);
    table.fact(compared).fact({ type: 'successor_can_start', runId: 7 });
    expect(table.run.step).toBe('creating_successor');
    expect(table.kinds()).not.toContain('type_exit');
  });

  it('[H45] [F30] a document that arrives after the run was cancelled can still be used', () => {
    const table = new Turntable().upTo('awaiting_document').choose('cancel');
    table.fact({ type: 'late_document_seen', runId: 7 }).fact({ type: 'late_document_seen', runId: 7 });
    expect([table.run.step, table.run.lateDocument, table.run.warnings.length]).toEqual(['cancelled', true, 1]);
    expect(table.choose('check_again').fact(goodDocument).run.step).toBe('recorded');
  });

  it('[H38] [F28] the action "adopt" adds a warning that names the adopted file', () => {
    const table = noDocument().fact({ type: 'operator_chose', runId: 7, action: 'adopt', adopted: '/p/HANDOFF.md' });
    expect(table.run.step).toBe('verifying');
    expect(table.fact(goodDocument).run.warnings.join()).toContain('/p/HANDOFF.md');
  });

  it('[H39] [F44] the action "retry" types the exit command again', () => {
    const table = didNotExit();
    expect(table.run.failure?.code).toBe('did_not_exit');
    expect(table.offered()).toEqual(['retry', 'force_exit', 'resume']);
    table.choose('retry');
    expect(refs(table, 'type_exit')).toEqual(['nonce-exit', 'nonce-exit-2']);
    expect(table.fact(gone(1)).run.step).toBe('creating_successor');
  });

  it('[H40] [F44] after the action "force-exit", the successor starts only after the agent\'s process is gone', () => {
    const table = didNotExit().choose('force_exit');
    expect(table.effects).toContainEqual({ kind: 'end_agent', agentId: 1 });
    expect([table.run.step, table.run.successorAgentId]).toEqual(['shutting_down', null]);
    expect(table.fact(gone(1)).run.step).toBe('creating_successor');
  });

  it('[H56] if /exit could not be typed, Baton ends an agent whose client waits for the end of a usage limit', () => {
    const limit = { type: 'usage_limit_hit', agentId: 1, words: 'You have hit your limit', until: null } as const;
    const refused = { verdict: 'refused', reason: 'busy', detail: 'the agent is working' } as const;
    const table = new Turntable()
      .upTo('shutting_down')
      .fact({ ...limit, continuesItself: false })
      .fact({ type: 'prompt_typed', agentId: 1, purpose: 'exit', ref: 'nonce-exit', outcome: refused })
      .fact({ ...limit, continuesItself: true });
    expect(table.effects).not.toContainEqual({ kind: 'end_agent', agentId: 1 });
    table.wait(1_100);
    expect(table.effects).toContainEqual({ kind: 'end_agent', agentId: 1 });
    expect(refs(table, 'type_exit')).toEqual(['nonce-exit']);
  });

  it('[H39] [F10] after an agent is lost, its run continues only if the operator chooses "retry"', () => {
    const table = new Turntable()
      .upTo('shutting_down')
      .fact({ type: 'agent_pane_lost', agentId: 1, detail: 'no server' });
    expect([table.run.failure?.code, table.run.successorAgentId]).toEqual(['agent_lost', null]);
    expect(table.choose('retry').run.step).toBe('creating_successor');
  });

  it('[H39] [000 Successor creation fails] if the successor is gone, the action "resume" starts another one', () => {
    const table = new Turntable()
      .upTo('creating_successor')
      .fact({ type: 'agent_launch_failed', agentId: 2, detail: 'no tmux' });
    expect(table.run.failure?.code).toBe('successor_failed');
    expect(table.run.handoffId).toBe(3);
    table.choose('resume');
    expect([table.run.step, table.run.successorAgentId]).toEqual(['creating_successor', 3]);
  });

  it('[H39] the pane of the gone successor is not mistaken for the pane of the next successor', () => {
    const table = new Turntable().upTo('awaiting_registration').fact(gone(2));
    expect(table.run.failure?.code).toBe('successor_failed');
    expect([table.choose('retry').run.step, table.run.successorAgentId]).toEqual(['creating_successor', 3]);
  });

  it('[H40] the action "force-exit" ends a hanging successor', () => {
    const table = new Turntable().upTo('awaiting_registration').wait(91_000);
    expect(table.offered()).toEqual(['wait', 'force_exit', 'resume', 'undo']);
    table.choose('force_exit');
    expect(table.effects).toContainEqual({ kind: 'end_agent', agentId: 2 });
    expect(table.run.step).toBe('failed');
    table.fact(gone(2));
    expect(table.offered()).toEqual(['retry', 'resume', 'undo']);
    table.choose('retry');
    // Baton must create a new successor, although the lost successor had a pane.
    expect([table.run.step, table.run.successorAgentId]).toEqual(['creating_successor', 3]);
  });

  it.each(['retry', 'resume'] as const)(
    '[S-2] [H39] [F42] the action "%s" first gives the successor its skill again, then the prompt',
    (action) => {
      const table = new Turntable()
        .upTo('injecting_skill')
        .fact({ type: 'priming_failed', agentId: 2, detail: 'unreadable' });
      expect(table.run.failure?.code).toBe('skill_failed');
      table.choose(action);
      expect([table.run.step, table.run.failure]).toEqual(['injecting_skill', null]);
      expect(table.kinds().filter((kind) => kind === 'prime_agent')).toHaveLength(2);
      expect(table.wait(5_000).run.step).toBe('injecting_skill');
      expect(table.kinds()).not.toContain('type_injection');
      primeSuccessor(table);
      expect(table.run.step).toBe('delivering_prompt');
      expect(table.kinds().filter((kind) => kind === 'prime_agent')).toHaveLength(2);
    },
  );

  it('[S-2] a second failure to give the successor its skill counts as a new failure', () => {
    const failed = { type: 'priming_failed', agentId: 2, detail: 'unreadable' } as const;
    const table = new Turntable().upTo('injecting_skill').fact(failed).choose('retry').fact(failed);
    expect([table.run.failure?.code, table.run.failures]).toEqual(['skill_failed', 2]);
  });

  it('[H38] [H39] [F16] after an unconfirmed prompt, the action "retry" types a new prompt', () => {
    const table = atPrompt()
      .fact(typed(2, 'nonce-injection', { verdict: 'unconfirmed', detail: 'cannot see' }))
      .wait(31_000);
    expect(table.run.failure?.code).toBe('prompt_not_accepted');
    table.choose('check_again');
    expect(new Set(refs(table, 'type_injection'))).toEqual(new Set(['nonce-injection']));
    table.wait(31_000).choose('retry');
    expect(refs(table, 'type_injection').at(-1)).toBe('nonce-injection-2');
  });

  it('[H41] [H53] the recorded document of a cancelled run can still be used', () => {
    const table = new Turntable().upTo('recorded').choose('cancel');
    expect([table.run.step, table.run.handoffId]).toEqual(['cancelled', 3]);
    expect(table.offered()).toEqual(['resume', 'use_recorded']);
    expect(table.choose('use_recorded').fact({ type: 'successor_can_start', runId: 7 }).run.step).toBe('shutting_down');
  });

  it('[H42] if the operator reviews the document, the agent is asked to exit only after the approval', () => {
    const table = new Turntable({}, { review: 'wanted' })
      .upTo('recorded')
      .fact({ type: 'successor_can_start', runId: 7 });
    table.wait(60 * MINUTE);
    expect([table.run.step, table.run.failure]).toEqual(['recorded', null]);
    expect(table.kinds()).not.toContain('type_exit');
    expect(table.offered()).toEqual(['approve', 'send_back', 'cancel']);
    table.choose('approve');
    expect(table.kinds()).not.toContain('type_exit');
    expect(table.fact({ type: 'successor_can_start', runId: 7 }).kinds()).toContain('type_exit');
  });

  it('[H43] after the action "undo", the conversation of the predecessor continues in a new agent as soon as the successor is gone', () => {
    const table = atPrompt();
    expect(table.choose('undo').run.step).toBe('undoing');
    expect(table.effects).toContainEqual({ kind: 'end_agent', agentId: 2 });
    expect(table.run.broughtBackAgentId).toBeNull();
    table.fact(gone(2));
    expect([table.run.step, table.run.broughtBackAgentId]).toEqual(['cancelled', 3]);
    expect(table.offered()).toEqual([]);
  });

  it('[H43] the action "undo" is not offered after the acknowledgment', () => {
    const acknowledged = primeSuccessor(new Turntable().upTo('injecting_skill')).upTo('completed');
    expect(acknowledged.offered()).toEqual([]);
    const cannot = atPrompt();
    cannot.canBringBack = false;
    expect(cannot.offered()).not.toContain('undo');
  });

  it('if a run fails twice with the same message, Baton counts and reports two failures', () => {
    const table = noDocument();
    table.choose('check_again').fact(missing);
    expect([table.run.failure?.code, table.run.failures]).toEqual(['document_missing', 2]);
    expect(table.notices.filter(({ type }) => type === 'handoff_error')).toHaveLength(2);
  });
});

describe('an emergency handoff of an agent that died without a document', () => {
  const dead = new Turntable({ state: 'ended', stateReason: 'its process has ended', lastPrompt: 'mend the\nparser' });

  it('[H44] an emergency handoff is refused for an agent that is alive', () => {
    const ask = { reason: undefined, note: undefined };
    const code = (...[agent, runs, record]: Parameters<typeof validateEmergency>) => {
      const judged = validateEmergency(agent, runs, record, ask);
      return isRefusal(judged) ? [judged.code, REFUSAL_STATUS[judged.code]] : judged.reason;
    };
    expect(code(agentNotFound(9), [], undefined, ask)).toEqual(['agent_not_found', 404]);
    expect(code(new Turntable().agent(1), [], undefined, ask)).toEqual(['agent_still_active', 400]);
    expect(code(dead.agent(1), [dead.run], undefined, ask)).toEqual(['handoff_in_progress', 409]);
    expect(code({ ...dead.agent(1), personaId: null }, [], undefined, ask)).toEqual(['agent_has_no_persona', 400]);
    expect(code(dead.agent(1), [], undefined, ask)).toBe('context_limit');
  });

  it('[H44] [F31] [003 Handoff without file path] an emergency handoff creates a handoff record without a document', () => {
    const run = { ...dead.run, emergency: true, lostCountsAsGone: true, steps: [], step: 'requested' } as const;
    const { run: begun, writes, effects } = beginEmergency(run, 'PROMPT', dead.world);
    expect(writes).toEqual([{ kind: 'record_handoff', filePath: null, injectionPrompt: 'PROMPT' }]);
    expect([begun.step, effects.map(({ kind }) => kind)]).toEqual(['recorded', ['check_successor_can_start']]);
  });

  it('[H44] the prompt of an emergency handoff says what Baton knows about the dead agent', () => {
    const prompt = emergencyPrompt(dead.run, dead.world, '/h/unfinished.md');
    for (const part of ['emergency', 'agent 1', 'mend the parser', 'its process has ended', '/h/unfinished.md'])
      expect(prompt).toContain(part);
    expect(prompt).toContain(`baton ack 7 --proof ${dead.run.endToken}`);
  });
});
