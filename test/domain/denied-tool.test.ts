import { expect, it } from 'vitest';
import { Turntable } from './handoff-kit.ts';

it('[L18] a missing document is told with the tool that the operator’s own rule denied', () => {
  const check = (more: object) =>
    new Turntable()
      .upTo('verifying')
      .fact({ type: 'document_checked', runId: 7, result: { verdict: 'missing' }, ...more }).run.failure?.sentence;
  expect(check({ deniedTool: 'Write' })).toContain('A permission rule of your own denied it the tool Write meanwhile.');
  expect(check({})).not.toContain('permission rule');
});
