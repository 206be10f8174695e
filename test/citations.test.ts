import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { testTitles, titlesIn } from './support/test-titles.ts';

/**
 * Checks that every requirement is cited in the title of a test. A missing citation means that the requirement may have
 * no test.
 */

const SCENARIOS_000 = [
  'Valid handoff trigger',
  'Agent without persona',
  'Agent without tmux pane',
  'Agent already ended',
  'Agent already has handoff record',
  'Handoff instruction sent',
  'Stop hook with handoff file present',
  'Stop hook with handoff file missing',
  'Stop hook with empty handoff file',
  'Normal stop hook unaffected',
  'Handoff record created',
  'Graceful shutdown',
  'Successor created',
  'Successor creation fails',
  'Sequenced delivery',
  'Error notification',
];
const SCENARIOS_003 = [
  'Table creation via migration',
  'Handoff created for agent',
  'Agent deleted cascades to handoff',
  'Handoff with reason',
  'Handoff with file path',
  'Handoff without file path',
  'Handoff with injection prompt',
  'Handoff creation timestamp',
  'Agent with handoff',
  'Agent without handoff',
  'Existing functionality preserved',
];
const SECTIONS_004 = [
  'Handoff Package Structure',
  'Sequential (Workflow)',
  'Delegation (Specialist)',
  'Escalation (Human)',
  'Return',
  'Never Implicit Context',
  'Artifacts Always Referenced',
  'Open Questions Documented',
  'Measurable Success Criteria',
  'Validate the Package',
  'Acknowledge Receipt',
  'Signal Problems',
  'Handoff to Human (Gate)',
  'Persistence',
];
const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

describe('citations in test titles', () => {
  const cited = testTitles()
    .map(({ words }) => words)
    .join('\n');

  it.each([
    ...SCENARIOS_000.map((name) => `[000 ${name}]`),
    ...upTo(12).map((point) => `[001 DoD ${point}]`),
    ...upTo(19).map((requirement) => `[002 FR${requirement}]`),
    ...upTo(4).map((requirement) => `[002 NFR${requirement}]`),
    // The success criteria of specification 002: section 3.1 contains numbers 1 to 12, section 3.2 contains 13 to 16.
    ...upTo(16).map((criterion) => `[002 SC${criterion}]`),
    ...SCENARIOS_003.map((name) => `[003 ${name}]`),
    ...SECTIONS_004.map((name) => `[004 ${name}]`),
    ...upTo(18).map((stumble) => `[U${stumble}]`),
    ...upTo(21).map((defect) => `[D${defect}]`),
  ])('at least one test title cites the requirement %s', (citation) => {
    expect(cited).toContain(citation);
  });

  it('at least one test cites each rule of the handoff SPEC.md', () => {
    const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
    const numbers = (text: string, form: RegExp) =>
      [...text.matchAll(form)].map(([, number]) => Number(number)).sort((a, b) => a - b);
    const rules = numbers(read('../src/domain/handoffs/SPEC.md'), /\*\*H(\d+)\*\*/g);
    expect(rules).toEqual(upTo(rules.length));
    const shown = numbers(`${cited}${read('domain/walk/properties.ts')}`, /\[H(\d+)\]/g);
    expect([...new Set(shown)]).toEqual(rules);
  });

  it('a rule number in a comment is not counted as a citation of the rule', () => {
    const source = `
      // [a] in a comment
      describe('[b]', () => {
        it.each([['[c] row', 1]])('%s works', () => { expect('[d]').toBe('[d]'); });
        it.runIf(true)('[e] plain', () => undefined);
      });`;
    expect(titlesIn('x.test.ts', source)).toEqual([
      { file: 'x.test.ts', title: '%s works', words: ' [b]  %s works [c] row' },
      { file: 'x.test.ts', title: '[e] plain', words: ' [b]  [e] plain ' },
    ]);
  });
});
