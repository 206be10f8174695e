import { describe, expect, it } from 'vitest';
import { howToAnswer, type Question } from '../../../src/domain/agents/question.ts';
import type { Fact } from '../../../src/domain/facts.ts';
import { injectionPrompt } from '../../../src/domain/handoffs/prompts/prompts.ts';
import { inboxEntriesForRun } from '../../../src/domain/inbox/inbox.ts';
import { refused, unconfirmed } from '../../../src/domain/messages/message-sentences.ts';
import { goodDocument, primeSuccessor, stop, submitted, Turntable, tool } from './handoff-kit.ts';

const MINUTE = 60_000;
const cleared = { type: 'session_started', agentId: 1, runtimeSessionId: 's9', source: 'clear' } as const;
const gone = (agentId: number) => ({ type: 'agent_process_gone', agentId, detail: 'its process has ended' }) as const;
const atPrompt = (): Turntable => primeSuccessor(new Turntable().upTo('injecting_skill')).upTo('delivering_prompt');
const failedTurn = (promptId: string) =>
  ({ type: 'turn_failed', agentId: 2, promptId, error: 'API Error: 401 Invalid API key' }) as const;
const items = ({ run, world }: Turntable) => inboxEntriesForRun(run, world);

describe('[S-7] the hint about a failed run', () => {
  const failures: readonly [string, () => Turntable][] = [
    ['a preparation that takes too long', () => new Turntable().wait(31_000)],
    [
      'a failed preparation',
      () =>
        new Turntable().fact({ type: 'effect_failed', runId: 7, doing: 'prepare_document_place', detail: 'EACCES' }),
    ],
    ['no safe point', () => new Turntable({ state: 'working' }).upTo('requested').wait(31_000)],
    ['a missing document', () => new Turntable().upTo('awaiting_document').wait(11 * MINUTE)],
    [
      'a successor that cannot start',
      () => new Turntable().upTo('recorded').fact({ type: 'successor_cannot_start', runId: 7, detail: 'no folder' }),
    ],
    ['an agent that does not exit', () => new Turntable().upTo('shutting_down').wait(31_000)],
    [
      'a lost agent',
      () => new Turntable().upTo('shutting_down').fact({ type: 'agent_pane_lost', agentId: 1, detail: 'tmux is gone' }),
    ],
    [
      'a failed start of the successor',
      () =>
        new Turntable()
          .upTo('creating_successor')
          .fact({ type: 'agent_launch_failed', agentId: 2, detail: 'exit code 1' }),
    ],
    ['a session that does not begin', () => new Turntable().upTo('awaiting_registration').wait(91_000)],
    [
      'a skill that was not injected',
      () => new Turntable().upTo('injecting_skill').fact({ type: 'priming_failed', agentId: 2, detail: 'unreadable' }),
    ],
    ['a successor that is gone', () => new Turntable().upTo('injecting_skill').fact(gone(2))],
    ['a prompt that was not typed', () => atPrompt().wait(31_000)],
    [
      'a prompt that could not be typed',
      () => atPrompt().fact({ type: 'effect_failed', runId: 7, doing: 'type_injection', detail: 'EIO' }),
    ],
  ];

  it.each(failures)('after %s, Baton offers every command that the hint of the failed run suggests', (_what, make) => {
    const table = make();
    const hint = table.run.failure?.hint ?? '';
    const named = [...hint.matchAll(/baton handoff ([a-z-]+) 7/g)].map(([, action = '']) =>
      action.replaceAll('-', '_'),
    );
    expect(named.length, hint).toBeGreaterThan(0);
    expect(table.offered()).toEqual(expect.arrayContaining(named));
    // [D12] The first action that the hint advises must also be the first button.
    expect(named[0]).toBe(table.offered()[0]);
    // The hint must not advise a new handoff if the run has a record, because the server would refuse it with 409.
    if (table.run.handoffId !== null) expect(hint).not.toMatch(/baton handoff \d/);
  });
});

describe('[S-8] an agent that becomes idle without a Stop hook', () => {
  const resting = (): Turntable =>
    new Turntable().upTo('awaiting_document').fact({ type: 'agent_seen_idle', agentId: 1 });

  it('[H51] if an agent becomes idle without a Stop hook, the inbox says so', () => {
    const table = resting();
    expect(table.run.step).toBe('awaiting_document');
    expect(table.offered()).toEqual(expect.arrayContaining(['check_again', 'instruct_again', 'cancel']));
    expect(items(table)).toMatchObject([
      { kind: 'decision', hint: expect.stringMatching(/check-again 7.*instruct-again 7/) },
    ]);
    expect(resting().choose('check_again').run.step).toBe('verifying');
    const again = resting().choose('instruct_again');
    expect(again.run).toMatchObject({ step: 'instructing', attempt: 2 });
  });

  it('if a turn ended with a Stop hook, the inbox says nothing about an idle agent', () => {
    const works = new Turntable().upTo('awaiting_document');
    expect([works.offered(), items(works)]).toEqual([['cancel'], []]);
    expect(items(works.fact(stop(1, 'p1')))).toEqual([]);
  });
});

describe('[L3] a turn for the handoff document that leaves a subagent running', () => {
  const leaves = (): Turntable =>
    new Turntable().upTo('awaiting_document').fact({
      type: 'turn_ended',
      agentId: 1,
      promptId: 'p1',
      backgroundTasks: 1,
      background: [{ kind: 'subagent', what: 'look around' }],
    });

  it("if a subagent still runs when the agent's turn ends, the run waits for a further turn of the agent about the subagent's result", () => {
    const table = leaves();
    expect(table.run.step).toBe('awaiting_document');
    table
      .fact(submitted(1, 'p2', null))
      .fact(tool(1, 'p2'))
      .fact(stop(1, 'p2'));
    expect([table.run.step, items(table)]).toEqual(['verifying', []]);
    table.fact(goodDocument).upTo('creating_successor');
    expect(table.run.warnings).toEqual([]);
  });

  it("once the document is finished, a run continues even if the agent takes no turn about its subagent's result", () => {
    const table = leaves().fact({ type: 'document_evidence_seen', runId: 7 }).upTo('creating_successor');
    expect(table.run.warnings).toEqual([]);
  });

  it('after the Stop hook of an unrelated turn, a run without subagents still waits for its document', () => {
    expect(new Turntable().upTo('awaiting_document').fact(stop(1, 'p2')).run.step).toBe('awaiting_document');
  });
});

describe('[L7] a conversation that the operator clears with /clear during a run', () => {
  it('if the operator types /clear before the document is written, the run fails within 30 seconds', () => {
    const table = new Turntable().upTo('awaiting_document').fact(cleared).wait(31_000);
    expect(table.run.failure).toMatchObject({
      code: 'conversation_cleared',
      sentence: expect.stringContaining('the operator cleared its conversation'),
    });
    expect(table.offered()).toContain('instruct_again');
  });

  it('if Baton types the handoff instruction again after a /clear, the run still warns about the /clear', () => {
    const table = new Turntable().upTo('awaiting_document').fact(cleared).wait(31_000).choose('instruct_again');
    table
      .fact(submitted(1, 'p9', 'nonce-instruction-2'))
      .fact(tool(1, 'p9'))
      .fact(stop(1, 'p9'))
      .fact(goodDocument);
    expect(table.run).toMatchObject({ step: 'recorded', clearedSinceInstruction: true });
    expect(table.run.warnings.join()).toContain("The operator cleared the agent's conversation");
    expect(injectionPrompt(table.run, table.world)).toContain('conversation was cleared before the predecessor wrote');
  });

  it('if the operator types /clear after a run has halted without a document, the run gets a warning', () => {
    const halted = () =>
      new Turntable().upTo('verifying').fact({ type: 'document_checked', runId: 7, result: { verdict: 'missing' } });
    const table = halted().fact(cleared);
    expect(table.run).toMatchObject({ step: 'failed', clearedSinceInstruction: true });
    expect(table.run.warnings.join()).toContain("The operator cleared the agent's conversation");
    for (const source of ['startup', 'resume', 'compact'] as const)
      expect(halted().fact({ ...cleared, source }).run.warnings).toEqual([]);
    expect(
      halted()
        .fact({ ...cleared, agentId: 1 })
        .choose('cancel')
        .fact(cleared).run.warnings,
    ).toHaveLength(1);
  });

  it.each([
    ['verifying', () => new Turntable().upTo('verifying')],
    ['under review', () => new Turntable({}, { review: 'wanted' }).upTo('recorded')],
  ])('if the operator types /clear after the document was written, the run gets a warning (%s)', (_when, make) => {
    const table = make().fact(cleared);
    if (table.run.step === 'verifying') table.fact(goodDocument);
    expect(table.run.warnings.join()).toContain(
      "cleared the agent's conversation (/clear) after the agent had written",
    );
    expect(injectionPrompt(table.run, table.world)).not.toContain('conversation was cleared');
  });

  it('if the operator asks for another document after a /clear, the run still warns about the /clear', () => {
    const sentBack = new Turntable({}, { review: 'wanted' }).upTo('recorded').fact(cleared).choose('send_back');
    expect(sentBack.run).toMatchObject({ step: 'requested', clearedSinceInstruction: true });
    const missing = new Turntable()
      .upTo('verifying')
      .fact(cleared)
      .fact({ type: 'document_checked', runId: 7, result: { verdict: 'missing' } });
    expect(missing.choose('instruct_again').run).toMatchObject({ attempt: 2, clearedSinceInstruction: true });
  });

  it('if the operator repeats the instruction after a compaction, the run still warns about the compaction', () => {
    const table = new Turntable()
      .upTo('awaiting_document')
      .fact({ type: 'compaction_started', agentId: 1, trigger: 'auto' });
    table.wait(11 * MINUTE).choose('instruct_again');
    expect(table.run.compactedSinceInstruction).toBe(true);
  });
});

describe('a question that the agent asks in the turn for the handoff document', () => {
  const asked = (permissionMode?: string): Turntable =>
    new Turntable(permissionMode === undefined ? {} : { permissionMode })
      .upTo('awaiting_document')
      .fact({ type: 'input_requested', agentId: 1, promptId: 'p1', question: 'asks permission to use Write' })
      .wait(1_000);
  const sentences = (table: Turntable) => items(table).map(({ sentence }) => sentence);

  it('if the agent is in plan mode, the inbox item about its question says so', () => {
    expect(sentences(asked('plan'))).toEqual([
      'Handoff 7 waits, because Con (agent 1) is in plan mode and asks permission to use Write',
    ]);
    for (const mode of [undefined, 'default'])
      expect(sentences(asked(mode))).toEqual(['Handoff 7 waits, because Con (agent 1) asks permission to use Write']);
  });
});

describe('[L8] a successor whose first request fails', () => {
  it.each<[string, () => Turntable]>([
    [
      'before the prompt was confirmed',
      () =>
        atPrompt()
          .fact(submitted(2, 'p3', 'nonce-injection'))
          .fact(failedTurn('p3')),
    ],
    ['after the prompt was confirmed', () => atPrompt().upTo('awaiting_acknowledgement').fact(failedTurn('p3'))],
  ])("if the successor's first request fails %s, the run halts at once", (_when, make) => {
    const table = make();
    expect(table.run.failure).toMatchObject({
      at: 'awaiting_acknowledgement',
      code: 'successor_turn_failed',
      sentence: expect.stringContaining('401 Invalid API key'),
      hint: expect.stringMatching(/baton handoff nudge 7.*baton handoff retry 7.*baton handoff accept 7/),
    });
    expect(table.offered()).toEqual(expect.arrayContaining(['retry', 'accept', 'force_exit']));
    expect(items(table)).toMatchObject([{ kind: 'failure' }]);
  });

  it('the action "retry" types the prompt to the successor again under a new reference', () => {
    const table = atPrompt().upTo('awaiting_acknowledgement').fact(failedTurn('p3')).choose('retry');
    expect(table.run.step).toBe('delivering_prompt');
    expect(table.effects.at(-1)).toMatchObject({ kind: 'type_injection', ref: 'nonce-injection-2' });
  });

  it('[H50] the operator can accept the successor without an acknowledgment', () => {
    const table = atPrompt().upTo('awaiting_acknowledgement').fact(failedTurn('p3')).choose('accept');
    expect(table.run).toMatchObject({ step: 'completed', failure: null, acknowledgement: null });
    expect(items(table)).toMatchObject([{ kind: 'notice' }]);
  });

  it("[S-11] a run that halted because of the successor's failed request completes when the successor acknowledges", () => {
    const table = atPrompt().upTo('awaiting_acknowledgement').fact(failedTurn('p3'));
    table.fact({ type: 'handoff_acknowledged', runId: 7, task: 'go on' });
    expect(table.run).toMatchObject({ step: 'completed', acknowledgement: { task: 'go on' } });
  });

  it('if a turn of another prompt than the handoff prompt fails, the run continues', () => {
    expect(atPrompt().upTo('awaiting_acknowledgement').fact(failedTurn('other')).run.step).toBe(
      'awaiting_acknowledgement',
    );
  });
});

describe('[L13] the hint about how to answer a question', () => {
  const question = (change: Partial<Question>): Question => ({
    id: 'q',
    text: 'Which one?',
    options: [],
    takesText: false,
    ...change,
  });

  it('the hint about a question suggests the answer command only if that command can answer the question', () => {
    expect(howToAnswer(1, question({ options: [{ number: 1, label: 'Yes' }] }))).toContain('agent answer 1 --choice N');
    for (const asked of [null, question({}), question({ isCut: true })]) {
      expect(howToAnswer(1, asked)).toContain('baton agent attach 1');
      expect(howToAnswer(1, asked)).not.toContain('--choice');
    }
  });
});

describe('[L22] the sentence about the outcome of a message', () => {
  const typing = { verdict: 'unconfirmed', detail: 'the text was pasted, but the composer shows other text' } as const;

  it('the sentence about an unconfirmed message contains "but" only once', () => {
    const { sentence } = unconfirmed(1, { typing, submitted: null } as Parameters<typeof unconfirmed>[1], 'after 20 s');
    expect(sentence).toMatch(/^Baton is not certain that agent 1 has the message: the text was pasted, but /);
    expect(sentence.match(/\bbut\b/g)).toHaveLength(1);
  });

  it('if a draft ends with a period, the sentence about the unsent message does not add another period', () => {
    const detail = 'there is unsent text in the composer: Go on.';
    expect(refused(1, { verdict: 'refused', reason: 'draft', detail }).sentence).toContain('composer: Go on. Send or');
  });
});

describe('[L25] a client whose hooks contain no prompt ids (as in version 2.0)', () => {
  const nameless = { ...submitted(1, '', 'nonce-instruction'), promptId: null } as Fact;
  const instructed = (transcriptPath: string | null): Turntable =>
    new Turntable({ transcriptPath }).upTo('instructing').fact(nameless);

  it('with a transcript, a prompt hook without a prompt id is not enough to confirm the handoff instruction', () => {
    const table = instructed('/t.jsonl');
    expect([table.run.step, table.kinds().at(-1)]).toEqual(['instructing', 'confirm_prompt']);
    table.fact({ type: 'prompt_found_in_transcript', agentId: 1, ref: 'nonce-instruction' });
    expect(table.run.step).toBe('awaiting_document');
    expect(instructed('/t.jsonl').wait(31_000).run.failure).toMatchObject({
      code: 'instruction_not_accepted',
      sentence: expect.stringContaining('one of your own hooks blocked it'),
    });
  });

  it('without prompt ids, the end of the turn after the prompt hook confirms the handoff instruction', () => {
    expect(instructed('/t.jsonl').fact(stop(1, null)).run.step).toBe('verifying');
  });

  it('if a turn ends after Baton reported a message as unconfirmed, the message stays unconfirmed', () => {
    const sent = {
      type: 'message_begun',
      agentId: 1,
      ref: 'm',
      textHash: 'h',
      excerpt: '',
      transcript: null,
      sentBy: 's',
    };
    const told = (table: Turntable) => table.agent().messages[0]?.verdict?.verdict;
    const table = new Turntable().fact(sent as Fact).fact({ ...nameless, ref: null, textHash: 'h' } as Fact);
    table.fact({ type: 'message_overdue', agentId: 1, ref: 'm', detail: 'waited for 8 s' });
    expect(told(table.fact(stop(1, null)))).toBe('unconfirmed');
    expect(told(table.fact({ type: 'prompt_found_in_transcript', agentId: 1, ref: 'm' }))).toBe('accepted');
  });

  it('without a transcript, a prompt hook without a prompt id confirms the handoff instruction', () => {
    expect(instructed(null).run.step).toBe('awaiting_document');
  });
});
