import { closePoint, reopenPoint } from '../../../app/personas/close-point.ts';
import { acceptLesson, discardLesson } from '../../../app/personas/decide-lesson.ts';
import type { Tx } from '../../../app/ports/store.ts';
import * as knowledge from '../../../contract/knowledge.ts';
import * as requests from '../../../contract/requests.ts';
import { PATHS } from '../../../contract/routes.ts';
import type { Lesson } from '../../../domain/personas/lesson.ts';
import { type OpenPoint, pointName } from '../../../domain/personas/open-point.ts';
import { personaNotFound } from '../../../domain/personas/persona.ts';
import { ID, mapped, OPERATOR, type Route, route, SLUG } from '../server/route.ts';

/**
 * The maximum number of points, of offered lessons and of decided lessons in one answer. The limit applies to each of
 * the three lists.
 */
const MAX_LISTED = 200;

const viewPoint = (point: OpenPoint): knowledge.OpenPoint => ({
  id: point.id,
  name: pointName(point),
  kind: point.kind,
  text: point.text,
  run_id: point.runId,
  named_by_run_id: point.namedByRunId,
  agent_id: point.lineage,
  created_at: point.createdAt,
  closed: point.closed && { by: point.closed.by, run_id: point.closed.runId, at: point.closed.at },
});

const viewLesson = ({ id, text, state, runId, createdAt, decidedAt, isAutomatic }: Lesson): knowledge.Lesson => ({
  id,
  text,
  state,
  run_id: runId,
  created_at: createdAt,
  decided_at: decidedAt,
  automatic: isAutomatic,
});

function viewKnowledge(tx: Tx, slug: string) {
  const persona = tx.personaBySlug(slug);
  if (persona === undefined) return personaNotFound(slug);
  const offered = tx.lessonsOfPersona(persona.id, ['offered', 'accepting'], MAX_LISTED);
  const decided = tx.lessonsOfPersona(persona.id, ['accepted', 'discarded'], MAX_LISTED);
  return {
    persona: slug,
    points: tx.pointsOfPersona(persona.id, MAX_LISTED).map(viewPoint),
    lessons: [...offered, ...decided].map(viewLesson),
  };
}

export const KNOWLEDGE_ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: PATHS.knowledge(SLUG),
    summary: 'The open points that documents of this persona left, and the lessons that they offer',
    answer: knowledge.PersonaKnowledge,
    status: 200,
    callers: OPERATOR,
    handle: async ({ deps: { ports }, slug }) => ports.store.read((tx) => viewKnowledge(tx, slug)),
  }),
  route({
    method: 'POST',
    path: PATHS.closePoint(ID),
    summary: 'Close an open point, so that no further successor hears of it',
    body: requests.Nothing,
    answer: knowledge.OpenPoint,
    status: 200,
    callers: OPERATOR,
    handle: async ({ deps, id }) => mapped(await closePoint(deps.ports, id), viewPoint),
  }),
  route({
    method: 'POST',
    path: PATHS.reopenPoint(ID),
    summary: 'Open a closed point again; the next successor hears of it',
    body: requests.Nothing,
    answer: knowledge.OpenPoint,
    status: 200,
    callers: OPERATOR,
    handle: async ({ deps, id }) => mapped(await reopenPoint(deps.ports, id), viewPoint),
  }),
  route({
    method: 'POST',
    path: PATHS.acceptLesson(ID),
    summary: 'Add a lesson to experience.md of its persona, with your own wording if you give one',
    body: knowledge.AcceptLesson,
    answer: knowledge.Lesson,
    status: 200,
    callers: OPERATOR,
    handle: async ({ deps, id, body: { text } }) => mapped(await acceptLesson(deps.ports, id, text), viewLesson),
  }),
  route({
    method: 'POST',
    path: PATHS.discardLesson(ID),
    summary: 'Discard a lesson; later documents do not offer it again',
    body: requests.Nothing,
    answer: knowledge.Lesson,
    status: 200,
    callers: OPERATOR,
    handle: async ({ deps, id }) => mapped(await discardLesson(deps.ports, id), viewLesson),
  }),
];
