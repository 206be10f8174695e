import { fingerprint, MAX_LESSON_TEXT } from '../handoffs/document/knowledge.ts';
import type { Instant } from '../instant.ts';
import { withoutControls } from '../plain-text.ts';
import type { Refusal } from '../refusals.ts';

/**
 * `offered`: a person must decide about the lesson. `accepting`: the lesson is accepted, and Baton is writing it to
 * experience.md. `accepted`: the lesson is in experience.md. `discarded`: a person refused the lesson.
 */
export const LESSON_STATES = ['offered', 'accepting', 'accepted', 'discarded'] as const;
export type LessonState = (typeof LESSON_STATES)[number];

/** A sentence of a handoff document that every later agent of the persona should know. */
export interface Lesson {
  readonly id: number;
  readonly personaId: number;
  readonly text: string;
  readonly state: LessonState;
  /** The run whose document contains the lesson. */
  readonly runId: number;
  readonly createdAt: Instant;
  /** The time at which the lesson was accepted or discarded. */
  readonly decidedAt: Instant | null;
  /** True if the setting `accept_lessons` accepted the lesson, so that no person had to decide about it. */
  readonly isAutomatic: boolean;
}

export type NewLesson = Omit<Lesson, 'id'>;

/** For each persona, at most this many lessons can wait for a person's decision. */
export const MAX_OFFERED = 50;

/**
 * The maximum size of experience.md after a lesson is added. The size is limited, because every session of the persona
 * begins with this file.
 */
export const MAX_EXPERIENCE_BYTES = 32_768;

/** Marks the line of a lesson in experience.md. A person may reword the line; Baton still finds it by this mark. */
const mark = ({ id }: Pick<Lesson, 'id'>): string => `<!-- lesson ${id} -->`;

/** The line of a lesson in experience.md: the text, the handoff that the lesson comes from, and the day. */
const lessonLine = (lesson: Lesson): string =>
  `- ${lessonOnOneLine(lesson.text)} (handoff ${lesson.runId}, ${lesson.createdAt.slice(0, 10)}) ${mark(lesson)}`;

/** Converts the text of a lesson to one line, as experience.md contains it. */
export const lessonOnOneLine = (text: string): string =>
  withoutControls(text).replace(/\s+/g, ' ').trim().replaceAll('<!--', '<! --');

/** The last line of an experience file that has no lessons yet. */
const NO_LESSON = 'Nothing yet.';

/**
 * Returns the text of experience.md with the lesson added. If the text already contains the mark or the words of the
 * lesson, the text stays unchanged.
 */
export function withLesson(experience: string, lesson: Lesson): string {
  const words = fingerprint(lesson.text);
  const lines = experience.split('\n');
  if (lines.some((line) => line.includes(mark(lesson)) || fingerprint(withoutOrigin(line)) === words))
    return experience;
  const text = experience.trimEnd();
  const rest = text.endsWith(`\n${NO_LESSON}`) ? text.slice(0, -NO_LESSON.length).trimEnd() : text;
  const isList = /\n- [^\n]*$/.test(`\n${rest}`);
  return `${rest}${rest === '' ? '' : isList ? '\n' : '\n\n'}${lessonLine(lesson)}\n`;
}

const withoutOrigin = (line: string): string =>
  line.replace(/ \(handoff \d+, [\d-]{10}\)(?: <!-- lesson \d+ -->)?\s*$/, '');

/** Refuses a text as the new text of a lesson if it contains no word or is too long. */
export function refuseLessonText(text: string): Refusal | undefined {
  if (fingerprint(text) === '')
    return { code: 'bad_request', sentence: 'The text of the lesson contains no word; write a sentence' };
  if ([...text].length > MAX_LESSON_TEXT)
    return { code: 'bad_request', sentence: `The lesson is longer than ${MAX_LESSON_TEXT} characters; shorten it` };
  return undefined;
}

export const lessonNotFound = (id: number): Refusal => ({
  code: 'lesson_not_found',
  sentence: `There is no lesson ${id}`,
  hint: 'List the lessons of a persona: baton persona lessons PERSONA',
});

/** Refuses a second decision about the same lesson. */
export const lessonDecided = ({ id, state }: Lesson): Refusal => ({
  code: 'already_decided',
  sentence: `Lesson ${id} is already ${state === 'discarded' ? 'discarded' : 'accepted'}`,
  hint:
    state === 'discarded'
      ? 'Add the text of the lesson by hand: baton persona experience PERSONA --file FILE'
      : 'To change the lesson, edit experience.md: baton persona experience PERSONA --file FILE',
});
