import { describe, expect, it } from 'vitest';
import { adviceFor } from '../../../src/domain/handoffs/actions.ts';
import { nudgeText } from '../../../src/domain/handoffs/prompts/prompts.ts';
import { inboxEntriesForRun } from '../../../src/domain/inbox/inbox.ts';
import { primeSuccessor, stop, submitted, Turntable } from './handoff-kit.ts';

const resting = () =>
  primeSuccessor(new Turntable().upTo('injecting_skill'))
    .upTo('delivering_prompt')
    .upTo('awaiting_acknowledgement')
    .fact(stop(2, 'p3'));
const gone = { type: 'agent_process_gone', agentId: 1, detail: 'gone' } as const;
const entries = (table: Turntable) => inboxEntriesForRun(table.run, table.world);
const nudges = (table: Turntable) =>
  table.effects.flatMap((effect) => (effect.kind === 'type_nudge' ? [effect.ref] : []));

describe('[D21] [H55] a successor that ends its turn without an acknowledgment', () => {
  it("the inbox reports a missing acknowledgment as soon as the successor's turn has ended", () => {
    const table = resting();
    expect(entries(table)).toMatchObject([
      { kind: 'decision', sentence: expect.stringContaining('ended its turn without acknowledging handoff 7') },
    ]);
    expect(table.offered()).toEqual(expect.arrayContaining(['nudge', 'message', 'accept']));
    expect(table.offered()[0]).toBe('nudge');
    expect(entries(table)[0]?.hint).toMatch(/handoff nudge 7.*handoff message 7.*handoff accept 7/);
  });

  it('one click on "nudge" types one reminder about the missing acknowledgment to the successor', () => {
    const table = resting().choose('nudge');
    expect([nudges(table), entries(table), table.offered().includes('nudge')]).toEqual([['nonce-nudge-1'], [], false]);
    table.choose('nudge').fact(submitted(2, 'p4', 'nonce-nudge-1'));
    expect(nudges(table)).toHaveLength(1);
    table.fact(stop(2, 'p4'));
    expect(entries(table)).toHaveLength(1);
    expect(nudges(table.choose('nudge'))).toEqual(['nonce-nudge-1', 'nonce-nudge-2']);
    table.fact({ type: 'handoff_acknowledged', runId: 7, task: 'go on' });
    expect(table.run).toMatchObject({ step: 'completed', acknowledgement: { task: 'go on' } });
  });

  it('if the reminder about a missing acknowledgment could not be typed, the inbox gives the reason', () => {
    const outcome = { verdict: 'refused', reason: 'draft', detail: 'a draft is in its composer' } as const;
    const table = resting()
      .choose('nudge')
      .fact({ type: 'prompt_typed', agentId: 2, purpose: 'nudge', ref: 'nonce-nudge-1', outcome });
    expect(entries(table)[0]?.sentence).toContain('The reminder was not typed: a draft is in its composer.');
    expect(table.offered()).toContain('nudge');
  });

  it("if the operator writes the reminder about a missing acknowledgment, the operator's text is typed to the successor", () => {
    const table = resting().fact({ type: 'operator_chose', runId: 7, action: 'message', comment: 'Read it first.' });
    expect(nudgeText(table.run)).toBe('The operator writes about handoff 7: Read it first.');
    expect([nudges(table), table.run.comment]).toEqual([['nonce-nudge-1'], null]);
    expect(
      entries(
        resting()
          .fact(submitted(2, 'p9', null))
          .fact(stop(2, 'p9')),
      ),
    ).toHaveLength(1);
  });

  it('the operator can complete the run without an acknowledgment', () => {
    expect(resting().choose('accept').run).toMatchObject({ step: 'completed', acknowledgement: null });
  });

  it('the reminder about a missing acknowledgment says where the proof is, but does not contain the proof', () => {
    const { run } = resting();
    expect(nudgeText(run)).toContain(`last line of the handoff document ${run.document?.absolutePath}`);
    expect(nudgeText(run)).toContain('baton ack 7 --proof TOKEN');
    expect(nudgeText({ ...run, endToken: 'k3yk3y' })).not.toContain('k3yk3y');
  });
});

it('[D12] the advice about a failed run names only actions that are possible', () => {
  const table = new Turntable().upTo('verifying');
  table.fact({ type: 'document_checked', runId: 7, result: { verdict: 'missing' } });
  expect(adviceFor(table.run, table.world)).toMatch(/handoff instruct-again 7; .*handoff check-again 7/);
  table.fact(gone);
  expect(adviceFor(table.run, table.world)).not.toContain('instruct-again');
  expect(table.offered()).not.toContain('instruct_again');
});

describe('[H41] a handoff that was cancelled before its record was written', () => {
  it('a cancelled handoff can be started again while its agent is alive', () => {
    const table = new Turntable().upTo('awaiting_document').choose('cancel');
    expect(table.offered()[0]).toBe('resume');
    table.choose('resume');
    expect(table.run).toMatchObject({ step: 'requested', attempt: 2, document: null, failure: null });
  });

  it('a cancelled handoff cannot be started again after its agent has ended', () => {
    const table = new Turntable().upTo('awaiting_document').choose('cancel').fact(gone);
    expect(table.offered()).not.toContain('resume');
  });
});
