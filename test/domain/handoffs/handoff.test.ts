import { describe, expect, it } from 'vitest';
import { endMarker, endsWithMarker, freeDocumentPath } from '../../../src/domain/handoffs/document/document.ts';
import {
  findRef,
  handoffInstruction,
  injectionPrompt,
  primingMessage,
  sessionContext,
} from '../../../src/domain/handoffs/prompts/prompts.ts';
import { whatRunWaitsFor } from '../../../src/domain/handoffs/waits.ts';
import { inboxEntriesForRun } from '../../../src/domain/inbox/inbox.ts';
import { after } from '../../../src/domain/instant.ts';
import { goodDocument, place, primeSuccessor, stop, submitted, T0, Turntable, tool, typed } from './handoff-kit.ts';

const PLACE = 'data/personas/developer-con-1/handoffs/20261115T080000-00000001.md';
const IDENTITY = { persona: { name: 'Con', role: 'developer', slug: 'developer-con-1' }, projectName: 'shop' };
const upToPrompt = (): Turntable => primeSuccessor(new Turntable().upTo('injecting_skill'));

describe('a handoff in which nothing fails', () => {
  it('[001 DoD 11] [000 Sequenced delivery] a handoff passes every step in order', () => {
    const table = upToPrompt().upTo('completed');
    expect(table.run.steps.map(({ step }) => step)).toEqual([
      'requested',
      'waiting_safe_point',
      'instructing',
      'awaiting_document',
      'verifying',
      'recorded',
      'shutting_down',
      'creating_successor',
      'awaiting_registration',
      'injecting_skill',
      'delivering_prompt',
      'awaiting_acknowledgement',
      'completed',
    ]);
    expect(table.kinds()).toEqual([
      'prepare_document_place',
      'type_instruction',
      'confirm_prompt',
      'check_document',
      'check_successor_can_start',
      'compare_document',
      'type_exit',
      'prime_agent',
      'type_injection',
      'confirm_prompt',
    ]);
    expect(table.run.acknowledgement?.task).toBe('go on');
    expect(table.notices.filter(({ type }) => type === 'handoff_complete')).toEqual([
      { type: 'handoff_complete', acknowledged: true, successorAgentId: 2 },
    ]);
  });

  it('[002 FR13] the handoff record is written, with path and prompt, before Baton asks the agent to exit', () => {
    const table = new Turntable().upTo('shutting_down');
    expect(table.writes).toHaveLength(1);
    const [record] = table.writes;
    expect(record).toMatchObject({ kind: 'record_handoff', filePath: table.run.document?.path });
    expect(record).toHaveProperty('injectionPrompt', expect.stringContaining(table.run.document?.absolutePath ?? '-'));
    expect(record).toHaveProperty('injectionPrompt', expect.stringContaining('agent 1, session'));
    expect(table.kinds().indexOf('check_document')).toBeLessThan(table.kinds().indexOf('type_exit'));
  });

  it('[000 Graceful shutdown] [001 DoD 7] [002 FR13] [002 FR14] [H21] an agent that was asked to exit counts as ended when its process is gone', () => {
    const table = new Turntable().upTo('shutting_down');
    table.fact({ type: 'session_ended', agentId: 1, reason: 'prompt_input_exit' });
    expect(table.run.step).toBe('shutting_down');
    table.fact({ type: 'agent_process_gone', agentId: 1, detail: 'gone' });
    expect(table.agent(1).endedAt).toBe(T0);
    expect(table.run.step).toBe('creating_successor');
  });
});

describe('instructing the agent', () => {
  it('[H4] Baton types no instruction while the document has no path', () => {
    const table = new Turntable();
    expect([table.run.step, table.kinds()]).toEqual(['requested', ['prepare_document_place']]);
    table.fact({ type: 'effect_failed', runId: 7, doing: 'prepare_document_place', detail: 'EACCES, mkdir /h' });
    expect(table.run.failure).toMatchObject({
      code: 'preparation_failed',
      sentence: expect.stringContaining('mkdir /h'),
    });
    expect(table.kinds()).not.toContain('type_instruction');
    expect(new Turntable().fact(place).run).toMatchObject({ step: 'instructing', document: { path: PLACE } });
  });

  it('[H49] Baton types nothing to an agent whose state is unknown', () => {
    const table = new Turntable({ state: 'working' }).fact({
      type: 'agent_seen_unknown',
      agentId: 1,
      line: '∗ Musing',
    });
    table.fact(place).wait(11 * 60_000);
    expect(table.run.failure).toMatchObject({ code: 'no_safe_point', sentence: expect.stringContaining('∗ Musing') });
    expect(table.kinds()).not.toContain('type_instruction');
  });

  it('[H5] [H6] Baton types the instruction only when the agent is idle', () => {
    const table = new Turntable({ state: 'working' }).fact(place);
    expect(table.run.step).toBe('waiting_safe_point');
    expect(table.kinds()).not.toContain('type_instruction');
    table.fact(stop(1, 'old'));
    expect(table.run.step).toBe('instructing');
    expect(table.kinds()).toContain('type_instruction');
  });

  it('[H8] [F13] [F15] [002 FR6] Baton retries a refused instruction after one second, until the deadline of ten minutes', () => {
    const table = new Turntable().fact(place);
    const deadline = table.run.safePointDeadlineAt;
    table.fact(
      typed(1, 'nonce-instruction', { verdict: 'refused', reason: 'draft', detail: 'the composer holds a draft' }),
    );
    expect(table.run.step).toBe('waiting_safe_point');
    table.wait(500);
    expect(table.run.step).toBe('waiting_safe_point');
    table.wait(600);
    expect(table.run.step).toBe('instructing');
    table.fact(
      typed(1, 'nonce-instruction', { verdict: 'refused', reason: 'draft', detail: 'the composer holds a draft' }),
    );
    expect(table.run.deadlineAt).toBe(deadline);
    for (let second = 0; second < 10 * 60 && table.run.step !== 'failed'; second++) {
      table.wait(1_000);
      table.fact(
        typed(1, 'nonce-instruction', { verdict: 'refused', reason: 'draft', detail: 'the composer holds a draft' }),
      );
    }
    expect(table.run.failure).toMatchObject({ code: 'no_safe_point' });
    expect(table.run.failure?.sentence).toContain('draft');
  });

  it('[H9] [F54] if the agent starts no turn after the instruction, the run fails', () => {
    const table = new Turntable().upTo('instructing').fact(submitted(1, 'p1', 'nonce-instruction'));
    expect(table.run.step).toBe('instructing');
    table.wait(21_000);
    expect(table.run.failure).toMatchObject({ at: 'instructing', code: 'instruction_not_accepted' });
    expect(table.run.failure?.sentence).toContain('blocked');
  });

  it('[H9] if the prompt hook is lost, the transcript confirms the instruction', () => {
    const table = new Turntable()
      .upTo('instructing')
      .fact({ type: 'prompt_found_in_transcript', agentId: 1, ref: 'nonce-instruction' });
    expect(table.run.step).toBe('awaiting_document');
  });

  it('[H10] [F21] one Stop hook can confirm the instruction and also end the turn of the instruction', () => {
    const table = new Turntable()
      .upTo('instructing')
      .fact(submitted(1, 'p1', 'nonce-instruction'))
      .fact(stop(1, 'p1'));
    expect(table.run.step).toBe('verifying');
    expect(table.run.steps.map(({ step }) => step)).toContain('awaiting_document');
  });

  it('[H8] Baton retries an unconfirmed instruction with the same id, so the terminal pastes the text only once', () => {
    const table = new Turntable().upTo('instructing');
    table.fact(typed(1, 'nonce-instruction', { verdict: 'unconfirmed', detail: 'tmux did not answer' })).wait(1_500);
    const tries = table.effects.filter(({ kind }) => kind === 'type_instruction');
    expect(tries).toHaveLength(2);
    expect(tries[1]).toEqual(tries[0]);
  });

  it('[F14] [H8] Baton retries an instruction that was refused because another program was in the foreground', () => {
    const refusal = { verdict: 'refused', reason: 'agent_gone', detail: 'another process has the terminal' } as const;
    const table = new Turntable().fact(place).fact(typed(1, 'nonce-instruction', refusal));
    expect(table.run).toMatchObject({ step: 'waiting_safe_point', failure: null });
    table.wait(1_500);
    expect(table.effects.filter(({ kind }) => kind === 'type_instruction')).toHaveLength(2);
  });

  it('[H12] [F21] a prompt that the operator typed does not confirm the instruction', () => {
    const table = new Turntable()
      .upTo('instructing')
      .fact(submitted(1, 'p9', null))
      .fact(stop(1, 'p9'));
    expect(table.run.step).toBe('instructing');
  });

  it('[H13] [F11] if the pane was gone when Baton tried to type the instruction, Baton still looks for the document', () => {
    const table = new Turntable()
      .fact(place)
      .fact(typed(1, 'nonce-instruction', { verdict: 'refused', reason: 'pane_gone', detail: 'the pane is gone' }));
    expect(table.run.step).toBe('awaiting_document');
    table.fact({ type: 'agent_process_gone', agentId: 1, detail: 'its process has ended' });
    expect(table.run.step).toBe('verifying');
    table.fact({ type: 'document_checked', runId: 7, result: { verdict: 'missing' } });
    expect(table.run.failure?.sentence).toContain('Con (agent 1) is gone');
    expect(table.kinds().filter((kind) => kind === 'type_instruction')).toHaveLength(1);
  });
});

describe('the document of a handoff', () => {
  it.each([
    ['[000 Stop hook with handoff file missing] [002 FR9]', 'missing', 'does not exist'],
    ['[000 Stop hook with empty handoff file] [002 FR10] [F27]', 'empty', 'is empty'],
    ['[H16]', 'not_a_regular_file', 'not a regular file'],
    ['[H16]', 'reached_through_link', 'through a symbolic link'],
    ['[H16]', 'too_large', 'larger than 1 MiB'],
  ] as const)('as %s requires, the run halts if the check of the document gives "%s"', (_scenario, verdict, words) => {
    const table = new Turntable().upTo('verifying').fact({ type: 'document_checked', runId: 7, result: { verdict } });
    expect(table.run).toMatchObject({ step: 'failed', failure: { at: 'verifying', code: `document_${verdict}` } });
    expect(table.run.failure?.sentence).toContain(words);
    expect(table.run.failure?.sentence).toContain('Con (agent 1)');
    expect(table.run.failure?.hint).toContain('baton handoff instruct-again 7');
    expect(table.notices.some(({ type }) => type === 'handoff_error')).toBe(true);
    expect(table.agent(1).state).toBe('idle');
    expect(table.kinds()).not.toContain('type_exit');
    expect(table.writes).toEqual([]);
  });

  it('[000 Stop hook with handoff file present] [001 DoD 4] [002 FR8] [H15] a good document is saved in the handoff record', () => {
    const table = new Turntable().upTo('verifying').fact(goodDocument);
    expect(table.run.step).toBe('recorded');
  });

  it.each(['requested', 'recorded', 'shutting_down'] as const)(
    '[000 Normal stop hook unaffected] [002 FR7] in the step %s, a Stop hook does not change the step of the run',
    (step) => {
      const table = new Turntable().upTo(step);
      const before = table.run.steps;
      table.fact(submitted(1, 'x', null)).fact(stop(1, 'x'));
      expect(table.run).toMatchObject({ step, steps: before });
    },
  );

  it('[F25] a Stop hook with background tasks does not end the handoff turn', () => {
    const table = new Turntable().upTo('awaiting_document');
    table.fact({ type: 'turn_ended', agentId: 1, promptId: 'p1', backgroundTasks: 1 });
    expect(table.run.step).toBe('awaiting_document');
    expect(table.fact(stop(1, 'p1')).run.step).toBe('verifying');
  });

  it('[F25] a background shell does not make the run wait', () => {
    const table = new Turntable().upTo('awaiting_document');
    const background = [{ kind: 'shell', what: 'npm run dev' }] as const;
    table.fact({ type: 'turn_ended', agentId: 1, promptId: 'p1', backgroundTasks: 1, background });
    expect(table.run.step).toBe('verifying');
  });

  it('[000 Normal stop hook unaffected] a Stop hook does not change a cancelled run', () => {
    const table = new Turntable({ state: 'working' }).fact(place);
    const effects = table.effects.length;
    table.run = { ...table.run, step: 'cancelled' };
    table.fact(stop(1, 'x'));
    expect(table.agent(1).state).toBe('idle');
    expect(table.effects).toHaveLength(effects);
  });

  it('[H12] [F21] the Stop hook of another turn does not end the handoff turn', () => {
    const table = new Turntable().upTo('awaiting_document').fact(stop(1, 'another'));
    expect(table.run.step).toBe('awaiting_document');
  });

  it('[H12] [F21] a late Stop hook of the previous turn is ignored', () => {
    const table = new Turntable()
      .upTo('instructing')
      .fact({ type: 'prompt_found_in_transcript', agentId: 1, ref: 'nonce-instruction' })
      .fact(stop(1, 'the turn before'));
    expect(table.run.step).toBe('awaiting_document');
    table.fact(submitted(1, 'p1', 'nonce-instruction')).fact(stop(1, 'p1'));
    expect(table.run.step).toBe('verifying');
  });

  it("[H13] Baton checks the document when the agent's process ends", () => {
    const table = new Turntable()
      .upTo('awaiting_document')
      .fact({ type: 'agent_process_gone', agentId: 1, detail: 'crashed' });
    expect(table.run.step).toBe('verifying');
  });

  it('[H13] Baton checks a finished document even if no Stop hook arrives', () => {
    const table = new Turntable().upTo('awaiting_document').fact({ type: 'document_evidence_seen', runId: 7 });
    expect(table.run).toMatchObject({ step: 'verifying', observedFacts: true });
  });

  it("[H14] if the agent's context was compacted while the agent wrote its document, the successor's prompt says so", () => {
    const table = new Turntable()
      .upTo('awaiting_document')
      .fact({ type: 'compaction_started', agentId: 1, trigger: 'auto' });
    table.fact(stop(1, 'p1')).fact(goodDocument);
    expect(table.run.compactedSinceInstruction).toBe(true);
    expect(table.writes[0]).toHaveProperty('injectionPrompt', expect.stringContaining('written from a summary'));
  });

  it.each(['instructing', 'awaiting_document'] as const)(
    '[H14] the run keeps the summary of a compaction that ends in the step %s',
    (step) => {
      const table = new Turntable().upTo(step).fact({ type: 'compaction_ended', agentId: 1, summary: 'half done' });
      expect(table.run.compactSummary).toBe('half done');
    },
  );

  it('[H16] [F27] a missing end marker causes a warning, not a failure', () => {
    const table = new Turntable().upTo('verifying');
    table.fact({
      type: 'document_checked',
      runId: 7,
      result: { verdict: 'good', sha256: 'a', bytes: 1, markerFound: false },
    });
    expect(table.run.step).toBe('recorded');
    expect(table.run.warnings[0]).toContain('end marker');
  });

  it('[F24] a run fails if a turn of its agent fails', () => {
    const table = new Turntable()
      .upTo('awaiting_document')
      .fact({ type: 'turn_failed', agentId: 1, promptId: 'p1', error: 'API Error: 400' });
    expect(table.run.failure).toMatchObject({ code: 'agent_error' });
    expect(table.run.failure?.sentence).toContain('API Error: 400');
  });

  it("the ten-minute deadline for the document counts from the agent's last activity", () => {
    const table = new Turntable()
      .upTo('awaiting_document')
      .wait(9 * 60_000)
      .fact(tool(1, 'p1'))
      .wait(9 * 60_000);
    expect(table.run.step).toBe('awaiting_document');
    table.wait(61_000);
    expect(table.run.failure).toMatchObject({
      code: 'document_timeout',
      // Baton does not know whether a document exists, so the failure sentence must not say that the document is
      // missing.
      sentence: expect.stringMatching(/showed no activity in time .* and Baton did not see its turn end\.$/),
    });
  });

  it("[H47] a run fails 30 seconds after an interruption of the agent's turn", () => {
    const interrupted = { type: 'agent_seen_idle', agentId: 1, shows: 'interrupted' } as const;
    const table = new Turntable().upTo('awaiting_document').fact(interrupted).wait(29_000);
    expect(table.run.step).toBe('awaiting_document');
    table.fact(submitted(1, 'p2', null)).wait(9 * 60_000);
    expect(table.run.step).toBe('awaiting_document');
    table.fact(interrupted).wait(31_000);
    expect(table.run.failure).toMatchObject({ code: 'turn_interrupted' });
    expect(table.run.failure?.sentence).toMatch(/agent 1.* was interrupted before it finished/);
    expect(table.run.failure?.hint).toContain('baton handoff instruct-again 7');
  });

  it('[H47] the failure message of a run says that the client put the instruction back into the composer', () => {
    const table = new Turntable()
      .upTo('awaiting_document')
      .fact({ type: 'agent_seen_idle', agentId: 1, shows: 'prompt_returned' })
      .wait(31_000);
    expect(table.run.failure).toMatchObject({ code: 'turn_interrupted' });
    expect(table.run.failure?.sentence).toContain("the unsent instruction is back in the agent's composer");
  });

  it("[H47] if an agent's turn was interrupted after the document was finished, the run continues with the document", () => {
    const table = new Turntable()
      .upTo('awaiting_document')
      .fact({ type: 'agent_seen_idle', agentId: 1, shows: 'interrupted' });
    table.fact({ type: 'document_evidence_seen', runId: table.run.id });
    expect(table.run.step).toBe('verifying');
  });
});

describe('exit and successor', () => {
  it('[H19] [F38] if the successor cannot start, the agent is not asked to exit', () => {
    const table = new Turntable()
      .upTo('recorded')
      .fact({ type: 'successor_cannot_start', runId: 7, detail: 'the folder is gone' });
    expect(table.run.failure).toMatchObject({ at: 'recorded', code: 'successor_cannot_start' });
    expect(table.kinds()).not.toContain('type_exit');
    expect(table.run.handoffId).toBe(3);
  });

  it('[H20] if the agent does not exit, no successor is created', () => {
    const table = new Turntable().upTo('shutting_down').wait(31_000);
    expect(table.run.failure).toMatchObject({ code: 'did_not_exit' });
    expect(table.writes.map(({ kind }) => kind)).toEqual(['record_handoff']);
  });

  it.each([
    ['stop', 1],
    ['keep', 2],
  ] as const)(
    "[H48] the operator's choice decides how Baton answers the client's question about background work: %s",
    (background, choice) => {
      const table = new Turntable({}, { background }).upTo('shutting_down');
      const asked = {
        id: 'q1',
        text: 'Background work is running',
        options: [],
        takesText: false,
        leaving: { stop: 1, keep: 2 },
      };
      table.fact({ type: 'agent_seen_asking', agentId: 1, question: asked.text, asked });
      table.fact({ type: 'agent_seen_asking', agentId: 1, question: asked.text, asked });
      expect(table.effects.filter(({ kind }) => kind === 'answer_exit')).toEqual([
        { kind: 'answer_exit', agentId: 1, runId: 7, ref: 'nonce-exit-answer-q1', questionId: 'q1', choice },
      ]);
      expect(inboxEntriesForRun(table.run, table.world)).toEqual([]);
      // If Baton's own answer to the exit question fails, an inbox item must ask the operator to answer the question.
      const outcome = { verdict: 'refused', reason: 'busy', detail: "the agent's screen keeps changing" } as const;
      table.fact({ type: 'answer_begun', agentId: 1, ref: 'r', questionId: 'q1', said: choice, givenBy: 'me' });
      table.fact({ type: 'answer_given', agentId: 1, ref: 'r', outcome });
      expect(inboxEntriesForRun(table.run, table.world)).toMatchObject([
        { cause: { of: 'run', runId: 7, what: 'asks' } },
      ]);
    },
  );

  it('if the agent is idle but Baton has no document, the run says what Baton waits for', () => {
    const table = new Turntable().upTo('awaiting_document');
    table.agents.set(1, { ...table.agent(1), state: 'working' });
    expect(whatRunWaitsFor(table.run, table.world, table.agent(1))).toBeNull();
    table.agents.set(1, { ...table.agent(1), state: 'idle' });
    expect(whatRunWaitsFor(table.run, table.world, table.agent(1))).toBe(
      "Con (agent 1) is idle, but Baton has neither the handoff document nor a report that the agent's turn ended",
    );
  });

  it('if the agent asks a question during a run, the run names the command that shows and answers the question', () => {
    const table = new Turntable().upTo('awaiting_document');
    table.agents.set(1, { ...table.agent(1), state: 'awaiting_input', stateReason: 'May I write the file?' });
    expect(whatRunWaitsFor(table.run, table.world, table.agent(1))).toBe(
      'Con (agent 1) waits for your answer: May I write the file? (show and answer the question: baton agent answer 1)',
    );
  });

  it('[H20] Baton does not type the exit command again while a draft is in the composer', () => {
    const table = new Turntable().upTo('shutting_down');
    table.fact(typed(1, 'nonce-exit', { verdict: 'refused', reason: 'draft', detail: 'a draft' }));
    table.fact({ type: 'agent_composer_seen', agentId: 1, obstacle: { kind: 'draft', shows: 'half a thought' } });
    const before = table.effects.length;
    for (let second = 0; second < 10; second++) table.wait(1_000);
    expect(table.effects).toHaveLength(before);
    expect(inboxEntriesForRun(table.run, table.world)).toMatchObject([
      {
        cause: { of: 'run', runId: 7, what: 'waits' },
        sentence: expect.stringContaining('the composer of Con (agent 1) contains unsent text: half a thought'),
      },
    ]);
    table.fact({ type: 'agent_composer_seen', agentId: 1, obstacle: null }).wait(1_000);
    expect(table.effects.at(-1)).toMatchObject({ kind: 'type_exit' });
  });

  it('[H20] Baton retries a refused exit command until the exit deadline', () => {
    const table = new Turntable().upTo('shutting_down');
    table.fact(typed(1, 'nonce-exit', { verdict: 'refused', reason: 'draft', detail: 'a draft' })).wait(1_100);
    expect(table.kinds().filter((kind) => kind === 'type_exit')).toHaveLength(2);
  });

  it('[000 Successor creation fails] [H23] if the successor fails to start, the run halts and keeps its handoff record', () => {
    const table = new Turntable()
      .upTo('creating_successor')
      .fact({ type: 'agent_launch_failed', agentId: 2, detail: 'program ended at once' });
    expect(table.run.failure).toMatchObject({ at: 'creating_successor', code: 'successor_failed' });
    expect(table.run.failure?.sentence).toContain('program ended at once');
    expect(table.run.handoffId).toBe(3);
  });

  it("[H24] [F38] [F39] if the successor's session never begins, the failure message of the run quotes the last screen of the successor", () => {
    const table = new Turntable().upTo('awaiting_registration');
    table.wait(91_000, 'Do you trust this folder?');
    expect(table.run.failure?.sentence).toContain('Do you trust this folder?');
  });

  it("[H25] [001 DoD 9] [002 FR18] the handoff prompt is typed after the successor's turn that reads the skill", () => {
    const table = new Turntable().upTo('injecting_skill');
    const { priming } = table.agent(2);
    table.fact(submitted(2, 'p2', priming.status === 'typing' ? priming.ref : ''));
    expect(table.kinds()).not.toContain('type_injection');
    table.fact(stop(2, 'p2'));
    expect(table.kinds()).toContain('type_injection');
  });

  it("[H25] [F21] a late Stop hook of another turn does not end the successor's turn that reads the skill", () => {
    const table = new Turntable().upTo('injecting_skill');
    const { priming } = table.agent(2);
    const ref = priming.status === 'typing' ? priming.ref : '';
    table.fact({ type: 'prompt_found_in_transcript', agentId: 2, ref }).fact(stop(2, 'the turn before'));
    expect(table.run.step).toBe('injecting_skill');
    table.fact({ type: 'agent_seen_idle', agentId: 2 });
    expect(table.run.step).toBe('delivering_prompt');
  });

  it('[H26] a missing skill file of the successor causes a warning and does not stop the run', () => {
    const table = new Turntable()
      .upTo('injecting_skill')
      .fact({ type: 'skill_absent', agentId: 2, detail: 'no skill.md' });
    expect(table.run.step).toBe('delivering_prompt');
    expect(table.run.warnings).toContain('no skill.md');
  });

  it('[H26] if the successor did not get its skill, Baton does not type the handoff prompt', () => {
    const table = new Turntable().upTo('injecting_skill').wait(121_000);
    expect(table.run.failure).toMatchObject({ code: 'skill_failed' });
    expect(table.kinds()).not.toContain('type_injection');
  });

  it.each([
    ['was never typed', 'Baton could not type the skill in time (a dialog is open)', ['refused']],
    ['was typed but not accepted', 'Baton typed the skill, but the agent did not accept it in time', ['typed']],
    [
      'was accepted but no end of its turn was reported',
      "Baton did not learn in time that the agent's turn had ended",
      ['typed', 'accepted'],
    ],
  ] as const)('[H25] the failure message of a run says that the skill %s', (_, detail, happened) => {
    const table = new Turntable().upTo('injecting_skill');
    const { priming } = table.agent(2);
    const ref = priming.status === 'typing' ? priming.ref : '';
    const refused = { verdict: 'refused', reason: 'dialog', detail: 'a dialog is open' } as const;
    for (const each of happened)
      if (each === 'accepted') table.fact({ type: 'prompt_found_in_transcript', agentId: 2, ref });
      else
        table.fact({
          type: 'prompt_typed',
          agentId: 2,
          purpose: 'skill',
          ref,
          outcome: each === 'refused' ? refused : { verdict: 'typed', enters: 1 },
        });
    table.wait(121_000);
    expect(table.run.failure?.sentence).toContain(`did not load its skill: ${detail}.`);
  });

  it('[H28] when the successor starts a second session, the handoff prompt is not repeated', () => {
    const table = upToPrompt().upTo('awaiting_acknowledgement');
    for (const source of ['clear', 'compact', 'resume'] as const)
      table.fact({ type: 'session_started', agentId: 2, runtimeSessionId: `s-${source}`, source });
    expect(table.kinds().filter((kind) => kind === 'prime_agent' || kind === 'type_injection')).toEqual([
      'prime_agent',
      'type_injection',
    ]);
  });

  it('[H29] if the successor sends no acknowledgment, the run completes with a warning', () => {
    const table = upToPrompt()
      .upTo('awaiting_acknowledgement')
      .wait(10 * 60_000 + 1);
    expect(table.run).toMatchObject({ step: 'completed', acknowledgement: null });
    expect(table.run.warnings.at(-1)).toContain('did not acknowledge');
  });

  it('[H30] an acknowledgment that arrives before the hooks of the handoff prompt is accepted', () => {
    const table = upToPrompt().fact({ type: 'handoff_acknowledged', runId: 7, task: 't' });
    expect(table.run.step).toBe('completed');
  });

  it('[F43] if the successor dies before its acknowledgment, the run fails', () => {
    const table = upToPrompt()
      .upTo('awaiting_acknowledgement')
      .fact({ type: 'agent_process_gone', agentId: 2, detail: 'crashed' });
    expect(table.run.failure).toMatchObject({ code: 'successor_gone', hint: expect.stringContaining('kept') });
  });
});

describe('deadlines and the order of events', () => {
  it('[H31] while the agent waits for an answer, the deadline of the step is paused', () => {
    const table = new Turntable().upTo('injecting_skill').wait(60_000);
    table.fact({ type: 'input_requested', agentId: 2, promptId: 'p2', question: 'may I?' }).wait(60 * 60_000);
    expect(table.run.step).toBe('injecting_skill');
    // The Stop hook of another turn removes the agent's open question from the run, so the deadline of the step is no
    // longer paused. The hook does not restart the deadline: 60 of its 120 seconds are left.
    table.fact(stop(2, 'other')).wait(59_000);
    expect(table.run.step).toBe('injecting_skill');
    table.wait(2_000);
    expect(table.run.failure).toMatchObject({ code: 'skill_failed' });
  });

  it.each([60 * 60_000, -60 * 60_000, 6_000])(
    '[H31] [F35] a gap of %i ms between two timer ticks extends every deadline',
    (ms) => {
      const table = new Turntable().upTo('shutting_down').wait(20_000).jump(ms);
      expect(table.run.step).toBe('shutting_down');
      table.wait(9_000);
      expect(table.run.step).toBe('shutting_down');
      table.wait(2_000);
      expect(table.run.failure).toMatchObject({ code: 'did_not_exit' });
    },
  );

  it.each([-86_400_000, 86_400_000])(
    '[H31] [F35] a deadline that is set after a clock jump of %i ms is not extended by that jump',
    (ms) => {
      const table = new Turntable().upTo('awaiting_document').wait(1_000);
      table.now = after(table.now, ms);
      table.fact(tool(1, 'p1')).wait(9 * 60_000);
      expect(table.run.step).toBe('awaiting_document');
      table.wait(2 * 60_000);
      expect(table.run.failure?.code).toBe('document_timeout');
    },
  );

  it('[H31] a gap between two timer ticks extends the deadline for the agent to become idle', () => {
    const refusal = typed(1, 'nonce-instruction', { verdict: 'refused', reason: 'draft', detail: 'a draft' });
    const table = new Turntable()
      .fact(place)
      .fact(refusal)
      .jump(60 * 60_000)
      .wait(1_500)
      .fact(refusal)
      .wait(2_000);
    expect(table.run.failure).toBeNull();
    expect(table.kinds().filter((kind) => kind === 'type_instruction').length).toBeGreaterThan(1);
  });

  it('[H31] Baton retries a refused instruction at the first timer tick after a long gap', () => {
    const refusal = typed(1, 'nonce-instruction', { verdict: 'refused', reason: 'busy', detail: 'just came to rest' });
    const table = new Turntable().fact(place).fact(refusal);
    const tries = (): number => table.kinds().filter((kind) => kind === 'type_instruction').length;
    expect(tries()).toBe(1);
    table.jump(10_000);
    expect([table.run.step, tries()]).toEqual(['instructing', 2]);
  });

  it('[H25] [F54] if a hook of the user keeps blocking the skill, the run fails', () => {
    const table = new Turntable().upTo('injecting_skill');
    const { priming } = table.agent(2);
    for (let n = 0; n < 130 && table.run.step === 'injecting_skill'; n++)
      table.fact(submitted(2, `blocked-${n}`, priming.status === 'typing' ? priming.ref : '')).wait(1_000);
    expect(table.run.failure?.code).toBe('skill_failed');
  });

  it.each([
    ['the document is missing', 'verifying', { type: 'document_checked', runId: 7, result: { verdict: 'missing' } }],
    ['no successor can start', 'recorded', { type: 'successor_cannot_start', runId: 7, detail: 'no folder' }],
    [
      'the successor does not start',
      'creating_successor',
      { type: 'agent_launch_failed', agentId: 2, detail: 'exit 1' },
    ],
  ] as const)(
    '[H32] a run that halted because %s stays halted, and Baton types nothing more for the run',
    (_what, step, fact) => {
      const table = new Turntable().upTo(step).fact(fact);
      const [effects, writes] = [table.kinds(), table.writes.length];
      table.wait(60 * 60_000);
      expect(table.run).toMatchObject({ step: 'failed', failures: 1, failure: { at: step } });
      expect([table.kinds(), table.writes.length]).toEqual([effects, writes]);
    },
  );

  it('[H33] the run can be cancelled only until the agent is asked to exit', () => {
    const early = new Turntable().upTo('verifying').fact({ type: 'operator_chose', runId: 7, action: 'cancel' });
    expect(early.run.step).toBe('cancelled');
    const late = new Turntable().upTo('shutting_down').fact({ type: 'operator_chose', runId: 7, action: 'cancel' });
    expect(late.run.step).toBe('shutting_down');
  });

  it('[H34] events that arrive twice or late do not change a successful handoff', () => {
    const plain = primeSuccessor(new Turntable().upTo('injecting_skill')).upTo('completed');
    const doubled = new Turntable();
    doubled.doubling = true;
    primeSuccessor(doubled.upTo('injecting_skill')).upTo('completed');
    expect(doubled.kinds()).toEqual(plain.kinds());
    expect(doubled.writes).toHaveLength(plain.writes.length);

    const table = upToPrompt().upTo('completed');
    const { run } = table;
    for (const fact of [
      place,
      stop(1, 'p1'),
      goodDocument,
      submitted(2, 'p3', 'nonce-injection'),
      typed(1, 'nonce-instruction'),
    ])
      table.fact(fact);
    expect(table.run).toEqual(run);
  });

  it('[H34] events of another agent do not change the run', () => {
    const table = new Turntable().upTo('awaiting_document');
    table.addAgent(9);
    const { run } = table;
    for (const fact of [stop(9, 'p1'), tool(9, 'p1')]) table.fact(fact);
    table.fact({ type: 'agent_process_gone', agentId: 9, detail: 'gone' });
    expect(table.run).toEqual(run);
  });
});

describe('the prompts of a handoff', () => {
  const { run } = new Turntable({}, { note: 'mind the tests' }).upTo('instructing');
  const agent = new Turntable({ lastPrompt: 'fix the\nlogin' }).agent();

  it('[000 Handoff instruction sent] [002 FR5] the handoff instruction names the path and the six sections of the document', () => {
    const text = handoffInstruction(run, IDENTITY, 'nonce-instruction');
    expect(text).toContain(`/data/personas/developer-con-1/handoffs/`);
    for (const part of ['working on', 'progress', 'decisions', 'Blockers', 'Files you modified', 'Next steps'])
      expect(text).toContain(part);
    expect(text).toContain(endMarker('TOKEN'));
    expect(text).toContain('mind the tests');
    expect(findRef(text)).toBe('nonce-instruction');
  });

  it('[001 DoD 10] [002 FR12] the injection prompt never contains the proof token', () => {
    const text = injectionPrompt(run, { agent, identity: IDENTITY, task: agent.lastPrompt });
    for (const part of [
      'Con (agent 1',
      agent.sessionUuid.slice(0, 8),
      'developer-con-1',
      'shop',
      'context_limit',
      'fix the login',
      'baton ack 7 --proof',
    ]) {
      expect(text).toContain(part);
    }
    expect(text).not.toContain('TOKEN -->');
    expect(text).not.toContain(endMarker('TOKEN'));
  });

  it("if the predecessor itself asked for the handoff, the injection prompt quotes the predecessor's reason", () => {
    const told = { agent, identity: IDENTITY, task: agent.lastPrompt };
    const asked = injectionPrompt({ ...run, askedBecause: 'the parser is done' }, told);
    expect(asked).toBe(
      `${injectionPrompt(run, told)}\nYour predecessor asked for this handoff itself: "the parser is done"`,
    );
  });

  const SKILL = { skill: 'be careful', experience: 'knows the shop' };

  it("the handoff instruction names the agent's background shells", () => {
    const background = [
      { kind: 'shell', what: 'npm run dev' },
      { kind: 'subagent', what: 'look around' },
    ] as const;
    const { run } = new Turntable().fact(place);
    expect(handoffInstruction(run, IDENTITY, 'r', { background })).toContain(
      'You still run in the background: "npm run dev". It is stopped when you exit: say in the document how to start it again.\n\nEnd the document with this line',
    );
    expect(handoffInstruction({ ...run, background: 'keep' }, IDENTITY, 'r', { background })).toContain(
      'It keeps running after you exit',
    );
    expect(handoffInstruction(run, IDENTITY, 'r')).not.toContain('background');
  });

  it('the priming message contains the skill and the experience of the persona', () => {
    const text = primingMessage(IDENTITY.persona, SKILL, 'ref-skill');
    expect(text).toMatch(/You are Con, developer[\s\S]*be careful[\s\S]*knows the shop[\s\S]*\[baton:ref-skill\]/);
  });

  it('at the session start, the hook gives the agent its skill in a text that asks for no answer', () => {
    const text = sessionContext(IDENTITY.persona, SKILL);
    expect(text).toMatch(/You are Con, developer[\s\S]*be careful[\s\S]*knows the shop$/);
    expect(text).not.toMatch(/answer|\[baton:/);
    expect(sessionContext(IDENTITY.persona, { skill: 'x', experience: undefined })).not.toContain('experience');
  });

  it('[001 DoD 3] [002 FR3] the document path follows the naming convention', () => {
    const first = 'data/personas/developer-con-1/handoffs/20260220T143025-4b6f8a2c.md';
    const at = '2026-02-20T14:30:25.999Z' as typeof T0;
    expect(freeDocumentPath('developer-con-1', at, '4b6f8a2c', () => false)).toBe(first);
    expect(freeDocumentPath('developer-con-1', at, '4b6f8a2c', (path) => path === first)).toBe(
      first.replace('25-', '26-'),
    );
  });

  it('an end marker counts only if it is on the last line of the document', () => {
    expect(endsWithMarker(`text\n${endMarker('T')}\n\n`, 'T')).toBe(true);
    expect(endsWithMarker(`${endMarker('T')}\nmore`, 'T')).toBe(false);
    expect(endsWithMarker(endMarker('X'), 'T')).toBe(false);
  });
});
