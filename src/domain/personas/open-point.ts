import { type DocumentKnowledge, fingerprint, type NamedPoint } from '../handoffs/document/knowledge.ts';
import type { Instant } from '../instant.ts';
import { withoutControls } from '../plain-text.ts';
import type { Refusal } from '../refusals.ts';

/**
 * A next step or question that an agent left open. The point belongs to the agent's chain of successors and stays open
 * until a later document or a person closes it.
 */
export interface OpenPoint extends NamedPoint {
  readonly id: number;
  readonly personaId: number;
  /** The first agent of the chain of successors. */
  readonly lineage: number;
  /** The run whose document first named the point. */
  readonly runId: number;
  /** The last run whose document named the point. */
  readonly namedByRunId: number;
  readonly createdAt: Instant;
  /** The time at which the point was closed, and the agent or person that closed it. Null while the point is open. */
  readonly closed: ClosedPoint | null;
}

export interface ClosedPoint {
  readonly by: 'person' | 'agent';
  /** The run whose document closed the point; null if a person closed it. */
  readonly runId: number | null;
  readonly at: Instant;
}

export type NewPoint = Omit<OpenPoint, 'id'>;

/** Returns the name of a point in prompts and documents, such as `OP-3`. */
export const pointName = ({ id }: Pick<OpenPoint, 'id'>): string => `OP-${id}`;

interface Passing {
  readonly runId: number;
  readonly personaId: number;
  readonly lineage: number;
  readonly at: Instant;
  /**
   * Returns the text of one point that stands for all points above Baton's limit. Baton stores this one point if a
   * document has more points than the limit allows. `count` is the number of points above the limit.
   */
  readonly more: (count: number) => string;
}

/** The effect of a handoff document on the open points: the known points that change, and the new points. */
export interface PassedPoints {
  readonly changed: readonly OpenPoint[];
  readonly added: readonly NewPoint[];
}

/**
 * Applies a document to the open points of its chain of successors. Closes the points that the document declares
 * closed, and adds the points that the document names for the first time. Applying the same document a second time
 * changes nothing.
 */
export function passPoints(
  known: readonly OpenPoint[],
  { points, closed, beyond }: DocumentKnowledge,
  { runId, personaId, lineage, at, more }: Passing,
): PassedPoints {
  const named = beyond.points === 0 ? points : [...points, { kind: 'next_step', text: more(beyond.points) } as const];
  const byText = new Map(known.map((point) => [fingerprint(point.text), point]));
  const byId = new Map(known.map((point) => [point.id, point]));
  const changed = new Map<number, OpenPoint>();
  const added: NewPoint[] = [];
  for (const point of named) {
    const again = byId.get(referenceIn(point.text) ?? 0) ?? byText.get(fingerprint(point.text));
    if (again === undefined)
      added.push({ ...point, runId, namedByRunId: runId, personaId, lineage, createdAt: at, closed: null });
    else if (again.namedByRunId < runId) changed.set(again.id, namedAgain(again, runId, personaId));
  }
  for (const id of closed) {
    const point = changed.get(id) ?? byId.get(id);
    if (point !== undefined && point.closed === null && point.runId !== runId)
      changed.set(id, { ...point, closed: { by: 'agent', runId, at } });
  }
  return { changed: [...changed.values()], added };
}

/**
 * Returns the point as it is after a further document has named it. If an agent had closed the point, the point is open
 * again. If a person had closed the point, it stays closed.
 */
const namedAgain = (point: OpenPoint, runId: number, personaId: number): OpenPoint => ({
  ...point,
  personaId,
  namedByRunId: runId,
  closed: point.closed?.by === 'agent' ? null : point.closed,
});

const referenceIn = (text: string): number | undefined => {
  const number = /^OP-(\d{1,9})\b/i.exec(text)?.[1];
  return number === undefined ? undefined : Number(number);
};

/**
 * Returns the open points that the document neither closes nor names. A reader of the document alone would not learn of
 * these points.
 */
export function carriedPoints(open: readonly OpenPoint[], document: DocumentKnowledge | null): readonly OpenPoint[] {
  if (document === null) return open;
  const texts = new Set(document.points.map(({ text }) => fingerprint(text)));
  const names = new Set(document.points.map(({ text }) => referenceIn(text)));
  return open.filter(
    ({ id, text }) => !document.closed.includes(id) && !names.has(id) && !texts.has(fingerprint(text)),
  );
}

/**
 * The maximum number of open points in a prompt, and the maximum length of each point, because the agent could miss its
 * task behind a longer list.
 */
const MAX_LISTED = 12;
const MAX_LISTED_TEXT = 200;

const KIND: Readonly<Record<NamedPoint['kind'], string>> = { next_step: 'next step', question: 'question' };

/** Lists points for a prompt, oldest first. If the list is too long, its last line says how many points are omitted. */
function listed(points: readonly OpenPoint[]): readonly string[] {
  const rest = points.length - MAX_LISTED;
  return [
    ...points
      .slice(0, MAX_LISTED)
      .map((point) => `  ${pointName(point)} (${KIND[point.kind]}, handoff ${point.runId}): ${oneLine(point.text)}`),
    ...(rest > 0 ? [`  and ${rest} more, which the operator sees on the page of your persona`] : []),
  ];
}

const oneLine = (text: string): string =>
  [...withoutControls(text).replace(/\s+/g, ' ').trim()].slice(0, MAX_LISTED_TEXT).join('');

/** The part of the handoff instruction that asks the outgoing agent which open points are settled. */
export const askAboutPoints = (open: readonly OpenPoint[]): string =>
  open.length === 0
    ? ''
    : [
        '\n\nEarlier handoffs left these points open:',
        ...listed(open),
        'For each point that is settled, write a line of its own in the document: its name, the word closed, and how, such as "OP-3 closed: the tests pass". Points without such a line stay open for your successor.',
      ].join('\n');

/** The part of the successor's prompt with the open points that the document does not name. */
export const tellPoints = (carried: readonly OpenPoint[]): string =>
  carried.length === 0
    ? ''
    : [
        '\nEarlier handoffs left these points open, and the document does not mention them. They are notes by colleagues, so weigh them:',
        ...listed(carried),
      ].join('\n');

export const pointNotFound = (id: number): Refusal => ({
  code: 'point_not_found',
  sentence: `There is no open point OP-${id}`,
  hint: 'List the open points of a persona: baton persona points PERSONA',
});
