import type { KnowledgeTx } from '../../../app/ports/knowledge-store.ts';
import { StoreConflict } from '../../../app/ports/store.ts';
import { fingerprint } from '../../../domain/handoffs/document/knowledge.ts';
import type { Lesson } from '../../../domain/personas/lesson.ts';
import type { NewPoint, OpenPoint } from '../../../domain/personas/open-point.ts';
import { type Connection, fixed, prepared, sql } from './connection.ts';

/** The SQL implementation of the store's functions for open points and lessons. */
export function knowledgeQueries(db: Connection): KnowledgeTx {
  const points = sql.selectFrom('open_points').select(['id', 'detail']);
  const lessons = sql.selectFrom('lessons').select(['id', 'detail']);
  const open = prepared((lineage: number) =>
    points.where('lineage', '=', lineage).where('is_open', '=', 1).orderBy('id'),
  );
  const toWrite = fixed(lessons.where('state', '=', 'accepting').orderBy('id'));
  return {
    insertPoint: (point) => {
      const row = { ...pointRow(point), words: fingerprint(point.text) || point.text };
      return { ...point, id: added(() => db.run(sql.insertInto('open_points').values(row))) };
    },
    savePoint: ({ id, ...point }) =>
      void db.run(sql.updateTable('open_points').set(pointRow(point)).where('id', '=', id)),
    pointById: (id) => toPoint(db.first(points.where('id', '=', id))),
    openPoints: (lineage) => db.all(open(lineage)).flatMap((row) => toPoint(row) ?? []),
    pointByWords: (lineage, words) =>
      toPoint(db.first(points.where('lineage', '=', lineage).where('words', '=', words))),
    pointsOfPersona: (personaId, limit) =>
      db
        .all(points.where('persona_id', '=', personaId).orderBy('is_open', 'desc').orderBy('id', 'desc').limit(limit))
        .flatMap((row) => toPoint(row) ?? []),
    insertLesson: (lesson) => {
      const { personaId, state, runId } = lesson;
      const row = { persona_id: personaId, state, run_id: runId, detail: JSON.stringify(lesson) };
      const values = { ...row, words: fingerprint(lesson.text) || lesson.text };
      return { ...lesson, id: added(() => db.run(sql.insertInto('lessons').values(values))) };
    },
    saveLesson: ({ id, ...lesson }) =>
      void db.run(
        sql
          .updateTable('lessons')
          .set({ state: lesson.state, detail: JSON.stringify(lesson) })
          .where('id', '=', id),
      ),
    lessonById: (id) => toLesson(db.first(lessons.where('id', '=', id))),
    lessonByWords: (personaId, words) =>
      toLesson(db.first(lessons.where('persona_id', '=', personaId).where('words', '=', words))),
    lessonsOfPersona: (personaId, states, limit) =>
      db
        .all(
          lessons
            .where('persona_id', '=', personaId)
            .where('state', 'in', [...states])
            .orderBy('id', 'desc')
            .limit(limit),
        )
        .flatMap((row) => toLesson(row) ?? []),
    lessonsToWrite: () => db.all(toWrite).flatMap((row) => toLesson(row) ?? []),
  };
}

/**
 * Runs an insert and returns the new id. Throws StoreConflict if a unique index finds that the same words are already
 * stored.
 */
function added(insert: () => { readonly id: number }): number {
  try {
    return insert().id;
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (typeof code !== 'string' || !code.startsWith('SQLITE_CONSTRAINT')) throw error;
    throw new StoreConflict('a point or lesson with the same words exists');
  }
}

interface Row {
  readonly id: number;
  readonly detail: string;
}

const pointRow = (point: NewPoint) => ({
  persona_id: point.personaId,
  lineage: point.lineage,
  is_open: point.closed === null ? 1 : 0,
  run_id: point.runId,
  detail: JSON.stringify(point),
});

const toPoint = (row: Row | undefined): OpenPoint | undefined =>
  row && { ...(JSON.parse(row.detail) as NewPoint), id: row.id };

const toLesson = (row: Row | undefined): Lesson | undefined =>
  row && { ...(JSON.parse(row.detail) as Omit<Lesson, 'id'>), id: row.id };
