import { describe, expect, it } from 'vitest';
import { handoffInstruction } from '../../../src/domain/handoffs/prompts/prompts.ts';
import { validateRequest } from '../../../src/domain/handoffs/request.ts';
import type { Run } from '../../../src/domain/handoffs/run.ts';
import { inboxEntriesForRun } from '../../../src/domain/inbox/inbox.ts';
import { isContinued } from '../../../src/domain/packages/content/continuation.ts';
import { compared, goodDocument, place, stop, submitted, Turntable, tool } from './handoff-kit.ts';

const SECOND = 'data/personas/developer-con-1/handoffs/20261115T080100-00000001.md';
const secondPlace = { ...place, path: SECOND, absolutePath: `/home/con/.baton/${SECOND}` } as const;
const canStart = { type: 'successor_can_start', runId: 7 } as const;
const gone = { type: 'agent_process_gone', agentId: 1, detail: 'its process has ended' } as const;

const underReview = (): Turntable => new Turntable({}, { review: 'wanted' }).upTo('recorded').fact(canStart);
const cancelledBehindRecord = (): Turntable => underReview().choose('cancel');
/** Records the facts of writing a second document: its path, the instruction, the turn and the check. */
const writesAgain = (table: Turntable, attempt = 2): Turntable =>
  table
    .fact(secondPlace)
    .fact(submitted(1, 'p9', `nonce-instruction-${attempt}`))
    .fact(tool(1, 'p9'))
    .fact(stop(1, 'p9'))
    .fact(goodDocument);
const records = ({ writes }: Turntable) => writes.flatMap((write) => (write.kind === 'record_handoff' ? [write] : []));
const words = ({ run, world }: Turntable): string => handoffInstruction(run, world.identity, 'ref');

describe('a handoff record with an outdated document', () => {
  it('[S-3] [H41] [000 Agent already has handoff record] the action "resume" after a cancelled run asks for a fresh document', () => {
    const table = cancelledBehindRecord();
    const record = { id: 3, agentId: 1, reason: 'context_limit', filePath: '', injectionPrompt: '' } as const;
    const refused = validateRequest(
      table.agent(1),
      [table.run],
      { ...record, createdAt: table.now },
      { reason: undefined, note: undefined },
    );
    expect(refused).toMatchObject({
      code: 'handoff_in_progress',
      sentence: 'Handoff already in progress',
      hint: expect.stringMatching(/new document: baton handoff resume 7; .*baton handoff use-recorded 7/),
    });
    table.choose('resume');
    expect(table.run).toMatchObject({ step: 'requested', handoffId: 3, document: null, attempt: 2 });
    expect(table.kinds().filter((kind) => kind === 'prepare_document_place')).toHaveLength(2);
    writesAgain(table);
    expect(table.run).toMatchObject({
      step: 'recorded',
      recordedDocument: null,
      document: { path: SECOND, sha256: 'abc' },
    });
    // [002 NFR3] A run has only one record, which the second document updates.
    expect(records(table).map(({ filePath }) => filePath)).toEqual([expect.stringContaining('080000'), SECOND]);
    expect(records(table)[1]?.injectionPrompt).toContain(SECOND);
    expect(table.run.handoffId).toBe(3);
  });

  it('[S-3] [H53] if a run is cancelled after its document was recorded, the action "use-recorded" continues the run with this document', () => {
    const table = cancelledBehindRecord();
    expect(table.offered()).toEqual(['resume', 'use_recorded']);
    const since = 'Con (agent 1) wrote the document at 08:00; since then it was given 3 more prompts.';
    table.fact({ type: 'operator_chose', runId: 7, action: 'use_recorded', since });
    expect(table.run).toMatchObject({ step: 'recorded', document: { sha256: 'abc' }, warnings: [since] });
    expect(records(table).at(-1)?.injectionPrompt).toContain('since then it was given 3 more prompts');
    expect(records(table).at(-1)?.filePath).toBe(table.run.document?.path);
  });

  it('[S-3] if the agent of a cancelled run has ended, the action "resume" continues the run with the recorded document', () => {
    const table = cancelledBehindRecord().fact(gone);
    expect(table.offered()).toContain('resume');
    expect(table.choose('resume').run).toMatchObject({ step: 'recorded', document: { sha256: 'abc' } });
  });

  it.each<[string, (table: Turntable) => Turntable, string[]]>([
    [
      'is not written',
      (table) =>
        table
          .fact(secondPlace)
          .wait(11 * 60_000)
          .wait(11 * 60_000),
      ['instruct_again', 'use_recorded'],
    ],
    ['gets no path', (table) => table.wait(31_000), ['retry', 'use_recorded']],
    ['has lost its author', (table) => table.fact(gone).fact(secondPlace), ['use_recorded']],
  ])('[S-3] if a fresh document %s, the recorded document can still be used', (_what, happens, ways) => {
    const table = happens(cancelledBehindRecord().choose('resume'));
    expect(table.run).toMatchObject({ step: 'failed', handoffId: 3, recordedDocument: { sha256: 'abc' } });
    expect(table.offered()).toEqual(expect.arrayContaining([...ways, 'resume']));
    // The hint must not name the commands that begin a new handoff, because Baton would refuse them.
    expect(table.run.failure?.hint).not.toMatch(/baton handoff \d/);
    expect(table.run.failure?.hint).not.toContain('--emergency');
    expect(table.choose('use_recorded').run).toMatchObject({
      step: 'recorded',
      recordedDocument: null,
      document: { path: expect.stringContaining('080000'), sha256: 'abc' },
    });
  });

  it('[S-3] if a run is canceled before a fresh document is written, the recorded document can still be used', () => {
    const table = cancelledBehindRecord().choose('resume').fact(secondPlace).choose('cancel');
    expect(table.offered()).toEqual(['resume', 'use_recorded']);
    expect(table.choose('use_recorded').run.document?.path).toContain('080000');
    const other = cancelledBehindRecord().choose('resume').fact(secondPlace).choose('cancel').choose('resume');
    expect(other.run).toMatchObject({ step: 'requested', attempt: 3, recordedDocument: { sha256: 'abc' } });
  });
});

describe('a document under review', () => {
  const comment = 'The open questions are missing.';
  const sendBack = (table: Turntable): Turntable =>
    table.fact({ type: 'operator_chose', runId: 7, action: 'send_back', comment });

  it('[S-16] [H52] if the operator sends a document back, the agent writes the document again', () => {
    const table = sendBack(underReview());
    expect(table.run).toMatchObject({ step: 'requested', comment, handoffId: 3 });
    table.fact(secondPlace);
    expect(table.run.step).toBe('instructing');
    expect(words(table)).toContain(comment);
    expect(words(table)).not.toContain('080000-00000001.md');
    expect(words(table)).toContain(SECOND);
    table
      .fact(submitted(1, 'p9', 'nonce-instruction-2'))
      .fact(tool(1, 'p9'))
      .fact(stop(1, 'p9'))
      .fact(goodDocument)
      .fact(canStart);
    expect(table.run).toMatchObject({ step: 'recorded', review: 'wanted', comment: null, document: { path: SECOND } });
    expect(table.kinds()).not.toContain('type_exit');
    expect(table.choose('approve').fact(canStart).run.step).toBe('shutting_down');
  });

  it('[S-16] if the operator sends a document back and the agent writes no new document, the run fails', () => {
    const table = sendBack(underReview()).fact(secondPlace);
    table
      .fact(submitted(1, 'p9', 'nonce-instruction-2'))
      .fact(tool(1, 'p9'))
      .fact(stop(1, 'p9'))
      .fact({ type: 'document_checked', runId: 7, result: { verdict: 'missing' } });
    expect(table.run).toMatchObject({ step: 'failed', failure: { code: 'document_missing' } });
    expect(table.offered()).toEqual(expect.arrayContaining(['instruct_again', 'adopt', 'use_recorded', 'cancel']));
  });

  it('[S-16] a document can be sent back only during its review', () => {
    expect(new Turntable().upTo('recorded').offered()).not.toContain('send_back');
    expect(underReview().offered()).toContain('send_back');
    expect(underReview().fact(gone).offered()).not.toContain('send_back');
  });

  it('[package P25] a document becomes a package only after its approval', () => {
    const table = underReview();
    expect(isContinued(table.run)).toBe(false);
    expect(isContinued(table.fact(compared).run)).toBe(false);
    expect(isContinued(table.choose('approve').run)).toBe(true);
  });
});

describe('an unusable document', () => {
  const checkedWith = (rule: string): Turntable =>
    new Turntable().upTo('verifying').fact({
      ...goodDocument,
      findings: [{ rule, sentence: `It is ${rule}.` }],
    } as typeof goodDocument);

  it.each(['blank', 'marker_only', 'binary'])(
    '[S-16] the operator must review a %s document before Baton asks the author of the document to exit',
    (rule) => {
      const table = checkedWith(rule).fact(canStart).wait(60_000);
      expect(table.run).toMatchObject({ step: 'recorded', handoffId: 3, review: 'wanted' });
      expect(table.kinds()).not.toContain('type_exit');
      const [item] = inboxEntriesForRun(table.run as Run, table.world);
      expect(item).toMatchObject({ kind: 'decision', sentence: expect.stringContaining(`It is ${rule}.`) });
      expect(item?.hint).toMatch(/baton handoff approve 7.*baton handoff send-back 7/);
      expect(table.offered()).toEqual(expect.arrayContaining(['approve', 'send_back']));
    },
  );

  it('[H16] a short document does not stop the handoff', () => {
    expect(checkedWith('too_short').fact(canStart).run.step).toBe('shutting_down');
  });

  it('[S-16] [F28] if the document is missing, the failure message lists new files that the operator can adopt', () => {
    const table = new Turntable().upTo('verifying').fact({
      type: 'document_checked',
      runId: 7,
      result: { verdict: 'missing' },
      beside: ['/p/HANDOFF.md', '/p/docs/notes.md'],
    });
    expect(table.run.failure?.sentence).toContain('New files since the instruction: /p/HANDOFF.md, /p/docs/notes.md.');
    expect(table.run.failure?.hint).toContain('baton handoff adopt 7 /p/HANDOFF.md');
  });
});
