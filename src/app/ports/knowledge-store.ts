import type { Lesson, LessonState, NewLesson } from '../../domain/personas/lesson.ts';
import type { NewPoint, OpenPoint } from '../../domain/personas/open-point.ts';

/** The part of the store for the open points and lessons of handoff documents. */
export interface KnowledgeTx {
  /** Adds a point. Throws StoreConflict if the chain already has a point with the same words. */
  insertPoint(point: NewPoint): OpenPoint;
  savePoint(point: OpenPoint): void;
  pointById(id: number): OpenPoint | undefined;
  /** Returns the open points of a chain of successors, oldest first. */
  openPoints(lineage: number): readonly OpenPoint[];
  /** Returns the point of a chain with these words (see `fingerprint`), open or closed. */
  pointByWords(lineage: number, words: string): OpenPoint | undefined;
  /** Returns the newest points of a persona: first the open ones, then the closed ones. */
  pointsOfPersona(personaId: number, limit: number): readonly OpenPoint[];

  /**
   * Adds a lesson. Throws StoreConflict if the persona already has a lesson with the same words (see `fingerprint`).
   */
  insertLesson(lesson: NewLesson): Lesson;
  /**
   * Saves the text and the state of a lesson. The words that identify the lesson stay the same, even if a person has
   * edited the text.
   */
  saveLesson(lesson: Lesson): void;
  lessonById(id: number): Lesson | undefined;
  /**
   * Returns the persona's lesson that a handoff document contained in these words (see `fingerprint`). The lesson may
   * be in any state, and a person may have edited its text.
   */
  lessonByWords(personaId: number, words: string): Lesson | undefined;
  /** Returns the newest lessons of a persona in these states, newest first. */
  lessonsOfPersona(personaId: number, states: readonly LessonState[], limit: number): readonly Lesson[];
  /** Returns the accepted lessons that Baton still has to write to experience.md, oldest first. */
  lessonsToWrite(): readonly Lesson[];
}
