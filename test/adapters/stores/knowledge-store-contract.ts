import { describe, expect, it } from 'vitest';
import { type Store, StoreConflict } from '../../../src/app/ports/store.ts';
import type { Instant } from '../../../src/domain/instant.ts';
import type { NewLesson } from '../../../src/domain/personas/lesson.ts';
import type { NewPoint } from '../../../src/domain/personas/open-point.ts';

const AT = '2026-11-15T08:00:00.000Z' as Instant;
const aPoint = (text: string, over: Partial<NewPoint> = {}): NewPoint => ({
  kind: 'next_step',
  text,
  personaId: 1,
  lineage: 1,
  runId: 1,
  namedByRunId: 1,
  createdAt: AT,
  closed: null,
  ...over,
});
const aLesson = (text: string, over: Partial<NewLesson> = {}): NewLesson => ({
  personaId: 1,
  text,
  state: 'offered',
  runId: 1,
  createdAt: AT,
  decidedAt: null,
  isAutomatic: false,
  ...over,
});

/** Tests how a store keeps open points and lessons. Every store must pass these tests. */
export function describeKnowledgeStore(name: string, open: () => Store): void {
  describe(`open points and lessons in the ${name} store`, () => {
    it("the store lists the open points of a chain of successors oldest first, and lists a persona's open points before its closed points", async () => {
      const store = open();
      await store.write((tx) => {
        const first = tx.insertPoint(aPoint('one'));
        tx.insertPoint(aPoint('two'));
        tx.insertPoint(aPoint('elsewhere', { lineage: 9, personaId: 2 }));
        tx.insertPoint(aPoint('three'));
        tx.savePoint({ ...first, closed: { by: 'person', runId: null, at: AT } });
      });
      expect(store.read((tx) => tx.openPoints(1)).map(({ text }) => text)).toEqual(['two', 'three']);
      expect(store.read((tx) => tx.pointsOfPersona(1, 2)).map(({ text }) => text)).toEqual(['three', 'two']);
      expect(store.read((tx) => tx.pointsOfPersona(1, 9)).map(({ text }) => text)).toEqual(['three', 'two', 'one']);
      expect(store.read((tx) => tx.pointById(1))?.closed?.by).toBe('person');
      expect(store.read((tx) => tx.pointById(99))).toBeUndefined();
    });

    it('the store refuses a second open point with the same words in one chain of successors', async () => {
      const store = open();
      await store.write((tx) => tx.insertPoint(aPoint('Ask Ana!')));
      await expect(store.write((tx) => tx.insertPoint(aPoint('ask ana')))).rejects.toThrow(StoreConflict);
      await store.write((tx) => tx.insertPoint(aPoint('ask ana', { lineage: 2 })));
      expect(store.read((tx) => tx.pointByWords(1, 'ask ana'))?.id).toBe(1);
      expect(store.read((tx) => tx.pointByWords(3, 'ask ana'))).toBeUndefined();
    });

    it('the store recognizes an edited lesson by its original words in the document', async () => {
      const store = open();
      await store.write((tx) => {
        const lesson = tx.insertLesson(aLesson('Lint first.'));
        tx.saveLesson({ ...lesson, text: 'Run the linter.', state: 'accepting' });
        tx.insertLesson(aLesson('Another'));
      });
      await expect(store.write((tx) => tx.insertLesson(aLesson('lint FIRST')))).rejects.toThrow(StoreConflict);
      expect(store.read((tx) => tx.lessonByWords(1, 'lint first'))?.text).toBe('Run the linter.');
      expect(store.read((tx) => tx.lessonsToWrite()).map(({ id }) => id)).toEqual([1]);
      expect(store.read((tx) => tx.lessonsOfPersona(1, ['offered', 'accepting'], 9)).map(({ id }) => id)).toEqual([
        2, 1,
      ]);
      expect(store.read((tx) => tx.lessonsOfPersona(1, ['discarded'], 9))).toEqual([]);
      expect(store.read((tx) => tx.lessonById(2))).toEqual({ ...aLesson('Another'), id: 2 });
    });
  });
}
