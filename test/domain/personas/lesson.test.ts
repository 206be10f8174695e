import { describe, expect, it } from 'vitest';
import type { Instant } from '../../../src/domain/instant.ts';
import { type Lesson, refuseLessonText, withLesson } from '../../../src/domain/personas/lesson.ts';

const lesson = (over: Partial<Lesson> = {}): Lesson => ({
  id: 3,
  personaId: 1,
  text: 'Run the linter first.',
  state: 'accepting',
  runId: 7,
  createdAt: '2026-11-18T08:00:00.000Z' as Instant,
  decidedAt: null,
  isAutomatic: false,
  ...over,
});
const LINE = '- Run the linter first. (handoff 7, 2026-11-18) <!-- lesson 3 -->';

describe('experience.md with a lesson', () => {
  it('the first lesson in experience.md replaces the line "Nothing yet." and names its handoff and day', () => {
    expect(withLesson('# Experience of Con\n\nNothing yet.\n', lesson())).toBe(`# Experience of Con\n\n${LINE}\n`);
    expect(withLesson('', lesson())).toBe(`${LINE}\n`);
  });

  it('a further lesson is added to experience.md after the existing list or text', () => {
    expect(withLesson('# X\n\n- one\n', lesson())).toBe(`# X\n\n- one\n${LINE}\n`);
    expect(withLesson('# X\n\nOwn words', lesson())).toBe(`# X\n\nOwn words\n\n${LINE}\n`);
  });

  it.each([
    ['the same line', `${LINE}\n`],
    ['a reworded line with its mark', '- Lint before you commit. <!-- lesson 3 -->\n'],
    ['the same words written by a person', '* run the LINTER first\n'],
    ['the same lesson of another handoff', '- Run the linter first. (handoff 2, 2026-11-01) <!-- lesson 1 -->\n'],
  ])('a lesson is not added to experience.md if the file already contains %s', (_, text) => {
    expect(withLesson(text, lesson())).toBe(text);
  });

  it('in experience.md, a lesson stays on one line and cannot contain the mark of another lesson', () => {
    const text = withLesson('', lesson({ text: 'one\ntwo <!-- lesson 9 -->' }));
    expect(text.trimEnd().split('\n')).toHaveLength(1);
    expect(text).not.toContain('<!-- lesson 9 -->');
  });

  it('a lesson without words or with more than 500 characters is refused', () => {
    expect([refuseLessonText('!!'), refuseLessonText('x'.repeat(501))].map((each) => each?.code)).toEqual([
      'bad_request',
      'bad_request',
    ]);
    expect(refuseLessonText('fine')).toBeUndefined();
  });
});
