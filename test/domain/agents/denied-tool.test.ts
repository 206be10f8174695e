import { describe, expect, it } from 'vitest';
import { inboxEntriesForRun } from '../../../src/domain/inbox/inbox.ts';
import { primeSuccessor, stop, submitted, Turntable } from '../handoffs/handoff-kit.ts';

it('[L18] if a permission rule denied the agent a tool, the failure message about the missing document names the tool', () => {
  const check = (more: object) =>
    new Turntable()
      .upTo('verifying')
      .fact({ type: 'document_checked', runId: 7, result: { verdict: 'missing' }, ...more }).run.failure?.sentence;
  expect(check({ denied: { tool: 'Write', file: null } })).toContain(
    'One of your permission rules denied the agent the tool Write.',
  );
  expect(check({ denied: { tool: 'Write', file: '/s.json' } })).toContain(
    'A permission rule in /s.json denies the agent the tool Write.',
  );
  expect(check({})).not.toContain('permission rule');
});

describe('[L18] [H54] a successor whose acknowledgment is denied by a permission rule', () => {
  const file = '/home/con/.claude/settings.json';
  const atPrompt = () => primeSuccessor(new Turntable().upTo('injecting_skill')).upTo('delivering_prompt');
  const resting = () => atPrompt().upTo('awaiting_acknowledgement').fact(stop(2, 'p3'));
  const denied = (where: string | null) =>
    ({ type: 'acknowledgement_denied', runId: 7, tool: 'Bash', file: where }) as const;

  it("a Stop hook ends the successor's turn", () => {
    expect(resting().run.delivery).toMatchObject({ isOverUnacknowledged: true });
    const atOnce = atPrompt()
      .fact(submitted(2, 'p3', 'nonce-injection'))
      .fact(stop(2, 'p3'));
    expect(atOnce.run).toMatchObject({ step: 'awaiting_acknowledgement', delivery: { isOverUnacknowledged: true } });
  });

  it("the Stop hook of another turn does not end the successor's turn", () => {
    const waiting = () => atPrompt().upTo('awaiting_acknowledgement');
    const isOver = (table: Turntable) => table.run.delivery?.isOverUnacknowledged ?? false;
    expect(isOver(waiting().fact(stop(2, 'other')))).toBe(false);
    expect(isOver(waiting().fact({ type: 'turn_ended', agentId: 2, promptId: 'p3', backgroundTasks: 1 }))).toBe(false);
    expect(isOver(resting().fact(submitted(2, 'p4', null)))).toBe(false);
  });

  it("if a permission rule denied the successor's acknowledgment, the run halts, and its failure message names the tool and the settings file", () => {
    const table = resting().fact(denied(file));
    expect(table.run.failure).toMatchObject({
      at: 'awaiting_acknowledgement',
      code: 'acknowledgement_denied',
      sentence: expect.stringContaining(
        `ended its turn without acknowledging it. A permission rule in ${file} denies the agent the tool Bash.`,
      ),
      hint: expect.stringMatching(
        /handoff_run_ack.*baton handoff nudge 7.*baton handoff retry 7.*baton handoff accept 7/,
      ),
    });
    expect(table.offered()).toEqual(expect.arrayContaining(['retry', 'accept']));
    expect(inboxEntriesForRun(table.run, table.world)).toMatchObject([{ kind: 'failure' }]);
    expect(resting().fact(denied(null)).run.failure?.sentence).toMatch(
      /without acknowledging it\. One of your permission rules denied the agent the tool Bash\.$/,
    );
  });

  it('a run that halted because of a denied tool still completes when the successor acknowledges', () => {
    const table = resting().fact(denied(file));
    table.fact({ type: 'handoff_acknowledged', runId: 7, task: 'go on' });
    expect(table.run).toMatchObject({ step: 'completed', acknowledgement: { task: 'go on' } });
  });
});
