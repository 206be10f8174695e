import { describe, expect, it } from 'vitest';
import { readKnowledge } from '../../../src/domain/handoffs/document/knowledge.ts';

const read = (...lines: readonly string[]) => readKnowledge(lines.join('\n'), 'TOKEN');
const texts = (...lines: readonly string[]) => read(...lines).points.map(({ text }) => text);

describe('the knowledge of a handoff document', () => {
  it('the end marker of another run does not become part of a lesson', () => {
    expect(read('## Lessons', '- Build before you test', '<!-- handoff-end:OF-ANOTHER-RUN -->').lessons).toEqual([
      'Build before you test',
    ]);
  });

  it('next steps and questions of a document become open points, in the order of the document', () => {
    const { points } = read(
      '# Handoff',
      '## 4. Blockers',
      '- The build is slow.',
      '- Which license do we use?',
      '## 6. Next steps, and what remains',
      '1. Write the parser',
      '   with its tests',
      '2. **Ask Ana** about the schema',
      '- [x] Read the code',
      '- [ ] Delete the old parser',
      '## 7. Open questions',
      '- May the parser use eval?',
      '<!-- handoff-end:TOKEN -->',
    );
    expect(points).toEqual([
      { kind: 'next_step', text: 'Write the parser with its tests' },
      { kind: 'next_step', text: 'Ask Ana about the schema' },
      { kind: 'next_step', text: 'Delete the old parser' },
      { kind: 'question', text: 'May the parser use eval?' },
      { kind: 'question', text: 'Which license do we use?' },
    ]);
  });

  it.each([
    ['German', '## Nächste Schritte', '## Lehren'],
    ['French', '## Prochaines étapes', '## Leçons'],
    ['Spanish', '## Próximos pasos', '## Lecciones'],
    ['Japanese', '## 次のステップ', '## 教訓'],
    ['Chinese', '## 下一步', '## 经验'],
    ['an unknown language with the numbers of the instruction', '## 6. Seuraavaksi', '## 8. Opittua'],
    ['bold lines', '**Next steps:**', '**Lessons:**'],
  ])('Baton recognizes the sections of a document if the headings are in %s', (_, next, lessons) => {
    const { points, lessons: learned } = read('# X', next, '- Zeile eins', '', lessons, '- Regel eins');
    expect(points.map(({ text }) => text)).toEqual(['Zeile eins']);
    expect(learned).toEqual(['Regel eins']);
  });

  it('if a document has the heading "Next steps", a section with the number 6 is not read as the next steps', () => {
    expect(texts('## 6. Appendix', 'Some prose.', '## Next steps', '- Real step')).toEqual(['Real step']);
  });

  it('a paragraph about next steps becomes an open point, but the introduction of a list does not', () => {
    expect(texts('## Next steps', 'In this order:', '- One', '', 'Then rest a while.')).toEqual([
      'One',
      'Then rest a while.',
    ]);
    expect(texts('Next steps: ship the parser')).toEqual(['ship the parser']);
  });

  it.each(['None.', 'Nothing remains', 'keine', 'なし', '- n/a', '…'])(
    'the line %j about next steps does not become an open point',
    (line) => {
      expect(texts('## Next steps', line)).toEqual([]);
    },
  );

  it("a line of a document closes an open point only if it begins with the point's name and says that the point is done", () => {
    const { closed, points } = read(
      '## Progress',
      '- OP-3 closed: the tests pass',
      '**OP-4** done.',
      '- [x] OP-5 the schema',
      '- OP-6 is not closed',
      '- OP-7 closed? I doubt it',
      'As OP-8 closed its file, we waited.',
      '```',
      'OP-9 closed: in code',
      '```',
      '## Next steps',
      '- OP-10 closed: done yesterday',
      '- OP-11 still needs an answer',
    );
    expect(closed).toEqual([3, 4, 5, 10]);
    expect(points.map(({ text }) => text)).toEqual(['OP-11 still needs an answer']);
  });

  it('Baton takes at most 40 open points and 10 lessons from a document and counts the rest', () => {
    const steps = Array.from({ length: 60 }, (_, index) => `- step ${index}`);
    const rules = Array.from({ length: 14 }, (_, index) => `- rule ${index} ${'x'.repeat(600)}`);
    const { points, lessons, beyond } = read('## Next steps', ...steps, '- step 1', '## Lessons', ...rules);
    expect([points.length, lessons.length, beyond]).toEqual([40, 10, { points: 20, lessons: 4 }]);
    expect(lessons.every((lesson) => lesson.length === 500 && lesson.endsWith('…'))).toBe(true);
  });

  it('the open points of a document contain no control characters', () => {
    expect(texts('## Next steps', '- bell\u0007 and \u001b[31mred')).toEqual(['bell and [31mred']);
  });
});
