import { type Lesson, lessonNotFound, MAX_EXPERIENCE_BYTES, withLesson } from '../../domain/personas/lesson.ts';
import type { Persona } from '../../domain/personas/persona.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import { appendNotice } from '../inbox/append-notice.ts';
import type { Ports } from '../ports/index.ts';
import { changeLesson } from './keep-lesson.ts';

type LessonPorts = Pick<Ports, 'store' | 'secrets' | 'clock' | 'files' | 'log'>;

/**
 * How many times Baton tries to write experience.md. An attempt fails if a person saves the file after Baton has read
 * it and before Baton writes it.
 */
const MAX_ATTEMPTS = 5;

/**
 * Writes accepted lessons that experience.md does not contain yet. There are such lessons if Baton was killed before it
 * wrote them, or if Baton accepted them without a person, because `accept_lessons` is on. Reconcile calls this
 * function, so no accepted lesson is lost.
 */
export async function writeLessons(ports: LessonPorts): Promise<void> {
  const lessons = ports.store.read((tx) => tx.lessonsToWrite());
  for (const lesson of lessons) {
    const written = await writeLesson(ports, lesson);
    if (isRefusal(written)) ports.log.warn(`could not write lesson ${lesson.id}: ${written.sentence}`, {});
  }
}

/**
 * Writes one accepted lesson to experience.md, then records that the lesson is written. If the file already has the
 * mark of the lesson, writes nothing. If the lesson cannot be written, Baton offers it to a person again.
 */
export async function writeLesson(ports: LessonPorts, lesson: Lesson): Promise<Lesson | Refusal> {
  const persona = ports.store.read((tx) => tx.personaById(lesson.personaId));
  if (persona === undefined) return lessonNotFound(lesson.id);
  const refusal = await append(ports, persona, lesson);
  return ports.store.write((tx) => {
    const fresh = tx.lessonById(lesson.id);
    if (fresh === undefined) return lessonNotFound(lesson.id);
    if (fresh.state !== 'accepting') return refusal ?? fresh;
    const about = { slug: persona.slug, lesson: lesson.id };
    if (refusal !== undefined) {
      changeLesson(tx, ports, { ...fresh, state: 'offered', decidedAt: null, isAutomatic: false });
      appendNotice(tx, ports, { type: 'lesson_not_written', ...about, why: refusal.sentence }, NO_AGENT);
      return refusal;
    }
    const written: Lesson = { ...fresh, state: 'accepted', decidedAt: fresh.decidedAt ?? ports.clock.now() };
    changeLesson(tx, ports, written);
    if (written.isAutomatic) appendNotice(tx, ports, { type: 'lesson_accepted_by_setting', ...about }, NO_AGENT);
    return written;
  });
}

const NO_AGENT = { agentId: null, runId: null };

async function append(ports: LessonPorts, persona: Persona, lesson: Lesson): Promise<Refusal | undefined> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const found = await ports.files.readPersonaText(persona.slug, 'experience');
    if (found.problem !== undefined) return unusable(found.problem);
    const text = withLesson(found.text ?? '', lesson);
    if (text === found.text) return undefined;
    if (isTooLarge(text)) return tooLarge(persona);
    const saved = await ports.files.savePersonaText(persona.slug, 'experience', { text, basedOn: found.sha256 });
    if (saved.outcome === 'unusable') return unusable(saved.why);
    if (saved.outcome !== 'changed_meanwhile') return undefined;
  }
  return {
    code: 'persona_text_changed',
    sentence: `Baton did not write the lesson, because another program kept changing experience.md of persona ${persona.slug}`,
    hint: `Accept the lesson again: baton persona accept-lesson ${lesson.id}`,
  };
}

/** Checks whether the lesson can be added to experience.md. Called before the decision about the lesson is stored. */
export async function refuseExperience(
  ports: Pick<Ports, 'files'>,
  persona: Persona,
  lesson: Lesson,
): Promise<Refusal | undefined> {
  const found = await ports.files.readPersonaText(persona.slug, 'experience');
  if (found.problem !== undefined) return unusable(found.problem);
  return isTooLarge(withLesson(found.text ?? '', lesson)) ? tooLarge(persona) : undefined;
}

const isTooLarge = (text: string): boolean => new TextEncoder().encode(text).length > MAX_EXPERIENCE_BYTES;

const unusable = (sentence: string): Refusal => ({ code: 'persona_text_unusable', sentence });

const tooLarge = ({ slug }: Persona): Refusal => ({
  code: 'persona_text_unusable',
  sentence: `experience.md of persona ${slug} would become larger than ${MAX_EXPERIENCE_BYTES / 1024} KiB, and every session begins with it, so the lesson was not written`,
  hint: `Shorten experience.md first: baton persona experience ${slug} --file FILE`,
});
