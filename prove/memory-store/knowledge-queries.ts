import type { KnowledgeTx } from '../../src/app/ports/knowledge-store.ts';
import { StoreConflict } from '../../src/app/ports/store.ts';
import { fingerprint } from '../../src/domain/handoffs/document/knowledge.ts';
import type { Lesson } from '../../src/domain/personas/lesson.ts';
import type { OpenPoint } from '../../src/domain/personas/open-point.ts';
import type { Journal } from './journal.ts';

/** Implements the store's functions for open points and lessons in memory, without a disk. */
export function knowledgeQueries(journal: Journal): KnowledgeTx {
  const points = journal.table<OpenPoint>();
  const lessons = journal.table<Lesson & { readonly words: string }>();
  const withoutWords = ({ words: _, ...lesson }: Lesson & { readonly words: string }): Lesson => lesson;
  const wordsOf = (text: string): string => fingerprint(text) || text;
  const pointByWords: KnowledgeTx['pointByWords'] = (lineage, words) =>
    points.all().find((point) => point.lineage === lineage && wordsOf(point.text) === words);
  const lessonByWords = (personaId: number, words: string) =>
    lessons.all().find((lesson) => lesson.personaId === personaId && lesson.words === words);
  return {
    insertPoint: (point) => {
      if (pointByWords(point.lineage, wordsOf(point.text)) !== undefined)
        throw new StoreConflict('the chain already has a point with these words');
      const row = { ...point, id: points.nextId() };
      points.set(row.id, row);
      return row;
    },
    savePoint: (point) => points.set(point.id, point),
    pointById: (id) => points.get(id),
    openPoints: (lineage) =>
      points
        .all()
        .filter((point) => point.lineage === lineage && point.closed === null)
        .toSorted((one, other) => one.id - other.id),
    pointByWords,
    pointsOfPersona: (personaId, limit) =>
      points
        .all()
        .filter((point) => point.personaId === personaId)
        .toSorted((one, other) => Number(one.closed !== null) - Number(other.closed !== null) || other.id - one.id)
        .slice(0, limit),
    insertLesson: (lesson) => {
      const words = wordsOf(lesson.text);
      if (lessonByWords(lesson.personaId, words) !== undefined)
        throw new StoreConflict('the persona already has a lesson with these words');
      const row = { ...lesson, id: lessons.nextId(), words };
      lessons.set(row.id, row);
      return withoutWords(row);
    },
    saveLesson: (lesson) => {
      const before = lessons.get(lesson.id);
      if (before !== undefined) lessons.set(lesson.id, { ...lesson, words: before.words });
    },
    lessonById: (id) => {
      const found = lessons.get(id);
      return found && withoutWords(found);
    },
    lessonByWords: (personaId, words) => {
      const found = lessonByWords(personaId, words);
      return found && withoutWords(found);
    },
    lessonsOfPersona: (personaId, states, limit) =>
      lessons
        .all()
        .filter((lesson) => lesson.personaId === personaId && states.includes(lesson.state))
        .toSorted((one, other) => other.id - one.id)
        .slice(0, limit)
        .map(withoutWords),
    lessonsToWrite: () =>
      lessons
        .all()
        .filter(({ state }) => state === 'accepting')
        .toSorted((one, other) => one.id - other.id)
        .map(withoutWords),
  };
}
