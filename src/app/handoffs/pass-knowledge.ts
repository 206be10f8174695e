import { lineageOf } from '../../domain/agents/agent.ts';
import { fingerprint } from '../../domain/handoffs/document/knowledge.ts';
import type { Run } from '../../domain/handoffs/run.ts';
import { MAX_OFFERED } from '../../domain/personas/lesson.ts';
import { passPoints } from '../../domain/personas/open-point.ts';
import { addLesson } from '../personas/keep-lesson.ts';
import type { Ports } from '../ports/index.ts';
import type { Tx } from '../ports/store.ts';

type KnowledgePorts = Pick<Ports, 'secrets' | 'clock' | 'operatorSettings'>;

/**
 * Passes on the knowledge of a run's document: closes and adds open points, and offers the lessons. Runs in the
 * transaction that creates the successor, so a crash of Baton neither loses a point nor adds it twice. A second call
 * for the same document, after a further attempt to start the successor, changes nothing.
 */
export function passKnowledge(tx: Tx, ports: KnowledgePorts, run: Run): void {
  const agent = tx.agentById(run.agentId);
  const { knowledge } = run;
  if (agent === undefined || agent.personaId === null || knowledge === null) return;
  const { id: runId } = run;
  const lineage = lineageOf(agent);
  const about = { personaId: agent.personaId, runId };
  const at = ports.clock.now();
  const more = (count: number): string =>
    `${count} more next steps or questions are in the document of handoff ${runId}`;
  const again = knowledge.points.flatMap(({ text }) => tx.pointByWords(lineage, fingerprint(text)) ?? []);
  const known = [...tx.openPoints(lineage), ...again.filter(({ closed }) => closed !== null)];
  const { changed, added } = passPoints(known, knowledge, { ...about, lineage, at, more });
  for (const point of changed) tx.savePoint(point);
  for (const point of added) tx.insertPoint(point);
  offerLessons(tx, ports, { ...about, texts: knowledge.lessons });
}

interface Offered {
  readonly personaId: number;
  readonly runId: number;
  readonly texts: readonly string[];
}

/**
 * Offers the lessons that were never offered for this persona before. If too many lessons already wait for a decision,
 * the new lessons are not offered and remain only in the document.
 */
function offerLessons(tx: Tx, ports: KnowledgePorts, { personaId, runId, texts }: Offered): void {
  const isAutomatic = ports.operatorSettings.current().acceptLessons;
  let waiting = tx.lessonsOfPersona(personaId, ['offered'], MAX_OFFERED).length;
  for (const text of texts) {
    const isKnown = tx.lessonByWords(personaId, fingerprint(text) || text) !== undefined;
    if (isKnown || (!isAutomatic && waiting >= MAX_OFFERED)) continue;
    waiting += 1;
    const createdAt = ports.clock.now();
    const state = isAutomatic ? 'accepting' : 'offered';
    addLesson(tx, ports, { personaId, runId, text, state, createdAt, decidedAt: null, isAutomatic });
  }
}
