import {
  type Lesson,
  lessonDecided,
  lessonNotFound,
  lessonOnOneLine,
  refuseLessonText,
} from '../../domain/personas/lesson.ts';
import type { Persona } from '../../domain/personas/persona.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import { appendNotice } from '../inbox/append-notice.ts';
import type { Ports } from '../ports/index.ts';
import type { Tx } from '../ports/store.ts';
import { changeLesson } from './keep-lesson.ts';
import { refuseExperience, writeLesson } from './write-lessons.ts';

type LessonPorts = Pick<Ports, 'store' | 'secrets' | 'clock' | 'files' | 'log'>;

interface Found {
  readonly lesson: Lesson;
  readonly persona: Persona;
}

/**
 * Accepts a lesson, with the edited text if a person edited it. Baton stores exactly the text that it writes to
 * experience.md. Baton stores the decision before it writes the file. If Baton is killed between these two steps, it
 * writes the lesson after its next start.
 */
export async function acceptLesson(
  ports: LessonPorts,
  id: number,
  text: string | undefined,
): Promise<Lesson | Refusal> {
  const found = ports.store.read((tx) => find(tx, id));
  if (isRefusal(found)) return found;
  const wanted = lessonOnOneLine(ports.secrets.redact(text ?? found.lesson.text));
  const refusal =
    refuseLessonText(wanted) ?? (await refuseExperience(ports, found.persona, { ...found.lesson, text: wanted }));
  if (refusal !== undefined) return refusal;
  const accepted = await decide(ports, id, (lesson) => ({ ...lesson, text: wanted, state: 'accepting' }));
  if (isRefusal(accepted)) return accepted;
  return writeLesson(ports, accepted);
}

/** Discards a lesson. If a later document contains the same lesson, Baton does not offer the lesson again. */
export const discardLesson = (ports: LessonPorts, id: number): Promise<Lesson | Refusal> =>
  decide(ports, id, (lesson) => ({ ...lesson, state: 'discarded' }));

function decide(ports: LessonPorts, id: number, change: (lesson: Lesson) => Lesson): Promise<Lesson | Refusal> {
  return ports.store.write((tx) => {
    const found = find(tx, id);
    if (isRefusal(found)) return found;
    const decided: Lesson = { ...change(found.lesson), decidedAt: ports.clock.now(), isAutomatic: false };
    changeLesson(tx, ports, decided);
    const type = decided.state === 'discarded' ? 'lesson_discarded' : 'lesson_accepted';
    appendNotice(tx, ports, { type, slug: found.persona.slug, lesson: id }, { agentId: null, runId: null });
    return decided;
  });
}

/** Returns a lesson that still waits for a decision, and its persona. */
function find(tx: Tx, id: number): Found | Refusal {
  const lesson = tx.lessonById(id);
  const persona = lesson && tx.personaById(lesson.personaId);
  if (lesson === undefined || persona === undefined) return lessonNotFound(id);
  return lesson.state === 'offered' ? { lesson, persona } : lessonDecided(lesson);
}
