import { describe, expect, it } from 'vitest';
import type { Fact } from '../../../src/domain/facts.ts';
import { isContinued } from '../../../src/domain/packages/content/continuation.ts';
import { compared, goodDocument, Turntable } from './handoff-kit.ts';

const FINDING = { rule: 'missing_path', sentence: 'src/a.ts does not exist.' };
const GIT = { kind: 'unknown', why: 'no_git', sentence: 'git was not found' } as const;
const canStart: Fact = { type: 'successor_can_start', runId: 7 };
const gone: Fact = { type: 'agent_process_gone', agentId: 1, detail: 'gone' };
const failed: Fact = { type: 'effect_failed', runId: 7, doing: 'compare_document', detail: 'EMFILE' };

/** A run whose document was recorded and is being compared with the project. */
const comparing = (): Turntable => new Turntable().upTo('verifying').fact(goodDocument);

describe('[H65] the comparison of the document with the project', () => {
  it('the agent is asked to exit during the comparison of the document with the project, but the successor starts only after the comparison', () => {
    const table = comparing().fact(canStart);
    expect(table.run.step).toBe('shutting_down');
    expect(table.kinds()).toEqual(expect.arrayContaining(['compare_document', 'type_exit']));
    expect(table.fact(gone).run.step).toBe('shutting_down');
    expect(table.fact(compared).run.step).toBe('creating_successor');
  });

  it('if the comparison of a document with the project is reported twice, its findings are added once', () => {
    const own = { rule: 'short', sentence: 'It is short.' };
    const table = new Turntable().upTo('verifying').fact({ ...goodDocument, findings: [own] } as Fact);
    const fact: Fact = { type: 'document_compared', runId: 7, findings: [FINDING], git: GIT };
    table.fact(fact).fact(fact);
    expect([table.run.findings, table.run.git]).toEqual([[own, FINDING], GIT]);
  });

  it.each(['recorded', 'shutting_down'] as const)(
    'if the comparison of the document with the project fails in the step %s, the handoff continues',
    (step) => {
      const table = comparing();
      if (step === 'recorded') table.fact(failed).fact(canStart);
      else table.fact(canStart).fact(failed);
      expect(table.fact(gone).run.step).toBe('creating_successor');
      expect(table.run.git).toBeNull();
    },
  );

  it('a handoff waits for the comparison of the document with the project until the exit deadline, and then continues', () => {
    const table = comparing().fact(canStart).fact(gone).wait(31_000);
    expect([table.run.step, table.run.failure]).toEqual(['creating_successor', null]);
  });

  it('if a halt interrupts the comparison of the document with the project, the comparison is repeated when the run continues', () => {
    const table = comparing().fact({ type: 'successor_cannot_start', runId: 7, detail: 'no folder' });
    expect(table.run.step).toBe('failed');
    table.effects.length = 0;
    table.choose('retry');
    expect([table.run.step, table.kinds()]).toEqual(['recorded', ['check_successor_can_start', 'compare_document']]);
  });

  it('[package P25] the package of a run is created only after the comparison of the document with the project, or after the run has halted', () => {
    const table = comparing().fact(canStart);
    expect(isContinued(table.run)).toBe(false);
    expect(isContinued(table.fact(compared).run)).toBe(true);
    const halted = comparing().fact({ type: 'successor_cannot_start', runId: 7, detail: 'no folder' });
    expect(isContinued(halted.run)).toBe(true);
  });
});
