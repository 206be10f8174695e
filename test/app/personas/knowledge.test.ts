import { beforeEach, describe, expect, it } from 'vitest';
import { passKnowledge } from '../../../src/app/handoffs/pass-knowledge.ts';
import { dismissInboxItem } from '../../../src/app/inbox/dismiss-inbox-item.ts';
import { closePoint, reopenPoint } from '../../../src/app/personas/close-point.ts';
import { acceptLesson, discardLesson } from '../../../src/app/personas/decide-lesson.ts';
import { writeLessons } from '../../../src/app/personas/write-lessons.ts';
import type { DocumentKnowledge } from '../../../src/domain/handoffs/document/knowledge.ts';
import type { Run } from '../../../src/domain/handoffs/run.ts';
import type { Lesson } from '../../../src/domain/personas/lesson.ts';
import { aRun } from '../../adapters/stores/store-contract.ts';
import { SimWorld } from '../engine/sim-world.ts';

let sim: SimWorld;
/** The text of the file experience.md. In this fake, the hash of the file is the text itself. */
let experience: string;
let writes: number;
/**
 * If set, this function runs once, after Baton has read experience.md and before Baton writes it. A test changes the
 * file in this function.
 */
let meanwhile: (() => void) | undefined;

beforeEach(async () => {
  sim = new SimWorld();
  await sim.addAgent();
  experience = '# Experience of Con\n\nNothing yet.\n';
  writes = 0;
  meanwhile = undefined;
  sim.ports.files.readPersonaText = async () => ({ text: experience, sha256: experience });
  sim.ports.files.savePersonaText = async (_slug, _name, { text, basedOn }) => {
    const first = meanwhile;
    meanwhile = undefined;
    first?.();
    if (basedOn !== experience) return { outcome: 'changed_meanwhile' };
    experience = text;
    writes += 1;
    return { outcome: 'saved' };
  };
});

const document = (over: Partial<DocumentKnowledge>): DocumentKnowledge => ({
  points: [],
  closed: [],
  lessons: [],
  beyond: { points: 0, lessons: 0 },
  ...over,
});
/** Stores the open points and offers the lessons of a handoff document, as Baton does when it creates a successor. */
async function handOver(over: Partial<DocumentKnowledge>): Promise<Run> {
  return sim.ports.store.write((tx) => {
    const run = tx.insertRun({ ...aRun(1, { step: 'completed', knowledge: document(over) }) });
    passKnowledge(tx, sim.ports, run);
    return run;
  });
}
const open = () => sim.ports.store.read((tx) => tx.openPoints(1)).map(({ text }) => text);
const lesson = (id: number): Lesson | undefined => sim.ports.store.read((tx) => tx.lessonById(id));
const items = () => sim.ports.store.read((tx) => tx.openInboxItems().filter(({ cause }) => cause.of === 'persona'));
const found = (folded: string): readonly string[] =>
  sim.ports.store
    .read((tx) => tx.searchTexts([[{ folded, isPrefix: false }]], { kind: 'lesson', limit: 9 }))
    .map(({ key }) => key);
const step = (text: string) => ({ kind: 'next_step', text }) as const;

describe('open points of a chain', () => {
  it('[H66] an open point is stored once and stays open over several handoffs until a document closes it', async () => {
    const run = await handOver({ points: [step('Ask Ana'), step('Ship')] });
    await sim.ports.store.write((tx) => passKnowledge(tx, sim.ports, run));
    await handOver({ points: [step('Test')], closed: [2] });
    await handOver({ points: [step('ask ana!')] });
    expect(open()).toEqual(['Ask Ana', 'Test']);
  });

  it('a person closes and reopens an open point, and each change is logged once', async () => {
    await handOver({ points: [step('Ask Ana')] });
    await closePoint(sim.ports, 1);
    await closePoint(sim.ports, 1);
    expect(open()).toEqual([]);
    await handOver({ points: [step('Ask Ana')] });
    expect(open()).toEqual([]);
    await reopenPoint(sim.ports, 1);
    expect(open()).toEqual(['Ask Ana']);
    const about = { slug: 'developer-con-1', point: 1 };
    expect([sim.notices('point_closed'), sim.notices('point_reopened')]).toEqual([[about], [about]]);
    expect(await closePoint(sim.ports, 9)).toMatchObject({ code: 'point_not_found' });
  });
});

describe('lessons of a persona', () => {
  it('[H67] [U16] a lesson that several documents repeat is offered once, and the offer changes no file', async () => {
    await handOver({ lessons: ['Lint first.', 'Read the map.'] });
    await handOver({ lessons: ['lint FIRST'] });
    await writeLessons(sim.ports);
    expect([lesson(1)?.state, lesson(2)?.state, lesson(3), writes]).toEqual(['offered', 'offered', undefined, 0]);
  });

  it('[U16] an accepted lesson is written to experience.md with its handoff and its day', async () => {
    await handOver({ lessons: ['Lint first.'] });
    expect(await acceptLesson(sim.ports, 1, undefined)).toMatchObject({ state: 'accepted' });
    expect(experience).toContain('- Lint first. (handoff 1, 2026-11-15) <!-- lesson 1 -->');
    expect(sim.notices('lesson_accepted')).toEqual([{ slug: 'developer-con-1', lesson: 1 }]);
    expect(await acceptLesson(sim.ports, 1, undefined)).toMatchObject({ code: 'already_decided' });
    expect(await discardLesson(sim.ports, 1)).toMatchObject({ code: 'already_decided' });
  });

  it("a lesson that a person edits is stored in the person's words, and a discarded lesson is not offered again", async () => {
    await handOver({ lessons: ['Lint first.', 'Be quick.'] });
    await acceptLesson(sim.ports, 1, 'Run npm run check first.');
    await discardLesson(sim.ports, 2);
    await handOver({ lessons: ['Be quick', 'Lint first'] });
    expect(experience).toContain('- Run npm run check first. (handoff 1');
    expect([lesson(2)?.state, lesson(3)]).toEqual(['discarded', undefined]);
  });

  it('if a person accepts a lesson with line breaks, Baton replaces the line breaks with spaces in its answer, in the store and in experience.md', async () => {
    await handOver({ lessons: ['Lint first.'] });
    expect(await acceptLesson(sim.ports, 1, 'Lint\n  before a commit.')).toMatchObject({
      text: 'Lint before a commit.',
    });
    expect(experience).toContain('- Lint before a commit. (handoff 1');
    expect(lesson(1)?.text).toBe('Lint before a commit.');
  });

  it('if a person changes experience.md while Baton adds a lesson, both changes are kept', async () => {
    await handOver({ lessons: ['Lint first.'] });
    meanwhile = () => {
      experience = '# Mine\n\n- My own rule\n';
    };
    await acceptLesson(sim.ports, 1, undefined);
    expect(experience).toMatch(/^# Mine\n\n- My own rule\n- Lint first\. \(handoff 1/);
  });

  it('Baton writes an accepted lesson to experience.md exactly once, even if Baton is killed before or after the write', async () => {
    await handOver({ lessons: ['Lint first.', 'Read the map.'] });
    // Simulate a kill after Baton stored the decision and before it wrote experience.md.
    await sim.ports.store.write((tx) => tx.saveLesson({ ...(lesson(1) as Lesson), state: 'accepting' }));
    await writeLessons(sim.ports);
    expect([lesson(1)?.state, writes]).toEqual(['accepted', 1]);
    // Simulate a kill after Baton wrote experience.md and before it stored the new state of the lesson. A person then
    // rewords the lesson in the file.
    await sim.ports.store.write((tx) => tx.saveLesson({ ...(lesson(1) as Lesson), state: 'accepting' }));
    experience = experience.replace('Lint first.', 'Lint before each commit.');
    await writeLessons(sim.ports);
    expect([lesson(1)?.state, writes, experience.match(/lesson 1 /g)?.length]).toEqual(['accepted', 1, 1]);
  });

  it('if experience.md is too large or read-only, Baton continues to offer the lesson', async () => {
    await handOver({ lessons: ['Lint first.', 'Read the map.'] });
    experience = `${'x'.repeat(32_760)}\n`;
    expect(await acceptLesson(sim.ports, 1, undefined)).toMatchObject({ code: 'persona_text_unusable' });
    expect([lesson(1)?.state, writes]).toEqual(['offered', 0]);
    sim.ports.files.savePersonaText = async () => ({ outcome: 'unusable', why: 'it is read-only' });
    experience = '';
    expect(await acceptLesson(sim.ports, 1, undefined)).toMatchObject({ sentence: 'it is read-only' });
    expect(lesson(1)?.state).toBe('offered');
    expect(sim.notices('lesson_not_written')).toHaveLength(1);
  });

  it('the offered lessons of a persona share one inbox item, and this item closes when the last lesson is decided', async () => {
    await handOver({ lessons: ['Lint first.', 'Read the map.'] });
    expect(items()).toMatchObject([
      { kind: 'notice', sentence: expect.stringContaining('documents of Con wait'), agentId: null, resolvedAt: null },
    ]);
    await acceptLesson(sim.ports, 1, undefined);
    expect(items()).toHaveLength(1);
    await discardLesson(sim.ports, 2);
    expect(items()).toEqual([]);
    const [settled] = sim.ports.store.read((tx) => tx.settledInboxItems({ limit: 5 }));
    expect(settled?.resolution).toBe('all lessons are decided');
  });

  it('after its dismissal, the inbox item about lessons comes back only when a new lesson is offered', async () => {
    await handOver({ lessons: ['Lint first.'] });
    await dismissInboxItem(sim.ports, items()[0]?.id ?? 0);
    expect(items()).toEqual([]);
    await handOver({ lessons: ['lint FIRST'] });
    expect(items()).toEqual([]);
    await handOver({ lessons: ['Read the map.'] });
    expect(items()).toHaveLength(1);
  });

  it('a lesson that a person accepts stays in the inbox if experience.md cannot be written', async () => {
    await handOver({ lessons: ['Lint first.'] });
    sim.ports.files.savePersonaText = async () => ({ outcome: 'unusable', why: 'it is read-only' });
    await acceptLesson(sim.ports, 1, undefined);
    expect(items()).toHaveLength(1);
  });

  it('the search finds a lesson by its current words until the lesson is discarded', async () => {
    await handOver({ lessons: ['Lint first.', 'Be quick.'] });
    expect([found('lint'), found('quick')]).toEqual([['lesson/1'], ['lesson/2']]);
    await acceptLesson(sim.ports, 1, 'Run the check first.');
    await discardLesson(sim.ports, 2);
    expect([found('lint'), found('check'), found('quick')]).toEqual([[], ['lesson/1'], []]);
  });

  it('with the setting `accept_lessons`, Baton accepts lessons itself and logs each one', async () => {
    sim.operatorSettings = { ...sim.operatorSettings, acceptLessons: true };
    await handOver({ lessons: ['Lint first.'] });
    await writeLessons(sim.ports);
    expect(lesson(1)).toMatchObject({ state: 'accepted', isAutomatic: true });
    expect(sim.notices('lesson_accepted_by_setting')).toHaveLength(1);
    expect(items()).toEqual([]);
    expect(sim.notices('lesson_accepted')).toEqual([]);
  });
});
