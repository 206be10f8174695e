import type { Lesson, NewLesson } from '../../domain/personas/lesson.ts';
import { syncInboxForLessons } from '../inbox/sync-inbox.ts';
import type { Ports } from '../ports/index.ts';
import type { Tx } from '../ports/store.ts';
import { indexLesson } from '../search/index-texts.ts';

type LessonPorts = Pick<Ports, 'secrets' | 'clock'>;

/** Stores a new lesson, with its search entry and the inbox item of its persona, in one transaction. */
export function addLesson(tx: Tx, ports: LessonPorts, lesson: NewLesson): Lesson {
  const added = tx.insertLesson(lesson);
  follow(tx, ports, added, added.state === 'offered');
  return added;
}

/** Saves a changed lesson, and updates its search entry and the inbox item of its persona, in one transaction. */
export function changeLesson(tx: Tx, ports: LessonPorts, lesson: Lesson): void {
  const isOfferedNow = lesson.state === 'offered' && tx.lessonById(lesson.id)?.state !== 'offered';
  tx.saveLesson(lesson);
  follow(tx, ports, lesson, isOfferedNow);
}

function follow(tx: Tx, ports: LessonPorts, lesson: Lesson, isNew: boolean): void {
  indexLesson(tx, ports, lesson);
  const persona = tx.personaById(lesson.personaId);
  if (persona !== undefined) syncInboxForLessons(tx, ports, persona, { isNew });
}
