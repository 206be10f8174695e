import { z } from 'zod';
import { MAX_LESSON_TEXT } from '../domain/handoffs/document/knowledge.ts';
import { LESSON_STATES } from '../domain/personas/lesson.ts';

/** Schemas of the open points and lessons of handoff documents. */

export const OpenPoint = z
  .object({
    id: z.int(),
    name: z.string().describe('The name of the point in prompts and documents, such as OP-3.'),
    kind: z.enum(['next_step', 'question']),
    text: z.string(),
    run_id: z.int().describe('The handoff whose document was the first to contain the point.'),
    named_by_run_id: z.int().describe('The latest handoff whose document contains the point.'),
    agent_id: z
      .int()
      .describe('The point belongs to a chain of successors. This is the id of the first agent of that chain.'),
    created_at: z.string(),
    closed: z
      .object({
        by: z.enum(['person', 'agent']),
        run_id: z
          .int()
          .nullable()
          .describe('The handoff whose document closed the point; null if a person closed the point.'),
        at: z.string(),
      })
      .nullable()
      .describe('Null while the point is open.'),
  })
  .meta({ id: 'OpenPoint' });
export type OpenPoint = z.infer<typeof OpenPoint>;

export const Lesson = z
  .object({
    id: z.int(),
    text: z.string(),
    state: z
      .enum(LESSON_STATES)
      .describe(
        '`offered`: a person must decide about the lesson. `accepting`: the lesson is accepted, and Baton is writing it to experience.md. `accepted`: the lesson is in experience.md. `discarded`: a person refused the lesson.',
      ),
    run_id: z.int().describe('The handoff whose document contains the lesson.'),
    created_at: z.string(),
    decided_at: z.string().nullable(),
    automatic: z
      .boolean()
      .describe('True if the lesson was accepted without a person, because of the setting `accept_lessons`.'),
  })
  .meta({ id: 'Lesson' });
export type Lesson = z.infer<typeof Lesson>;

export const PersonaKnowledge = z
  .object({
    persona: z.string().describe('The slug of the persona.'),
    points: z.array(OpenPoint).describe('The newest points: first the open ones, then the closed ones.'),
    lessons: z.array(Lesson).describe('The newest lessons: first the offered ones, then the decided ones.'),
  })
  .meta({ id: 'PersonaKnowledge' });
export type PersonaKnowledge = z.infer<typeof PersonaKnowledge>;

export const AcceptLesson = z.strictObject({
  text: z
    .string()
    .trim()
    .min(1)
    .max(MAX_LESSON_TEXT * 2)
    .optional()
    .describe('Your own wording of the lesson. If omitted, the lesson keeps the wording of the document.'),
});
