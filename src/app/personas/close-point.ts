import { type OpenPoint, pointNotFound } from '../../domain/personas/open-point.ts';
import type { Refusal } from '../../domain/refusals.ts';
import { appendNotice } from '../inbox/append-notice.ts';
import type { Ports } from '../ports/index.ts';
import type { Tx } from '../ports/store.ts';

type PointPorts = Pick<Ports, 'store' | 'secrets' | 'clock'>;

/** Closes an open point by a person's decision, so that the prompts of later successors no longer list the point. */
export const closePoint = (ports: PointPorts, id: number): Promise<OpenPoint | Refusal> =>
  change(ports, id, (point) =>
    point.closed?.by === 'person' ? point : { ...point, closed: { by: 'person', runId: null, at: ports.clock.now() } },
  );

/** Opens a closed point again, so that the prompt of the next successor lists the point. */
export const reopenPoint = (ports: PointPorts, id: number): Promise<OpenPoint | Refusal> =>
  change(ports, id, (point) => (point.closed === null ? point : { ...point, closed: null }));

/** Saves a changed point. If nothing changed, logs nothing. */
function change(ports: PointPorts, id: number, decide: (before: OpenPoint) => OpenPoint): Promise<OpenPoint | Refusal> {
  return ports.store.write((tx: Tx) => {
    const before = tx.pointById(id);
    if (before === undefined) return pointNotFound(id);
    const after = decide(before);
    if (after === before) return before;
    tx.savePoint(after);
    const slug = tx.personaById(after.personaId)?.slug ?? '';
    const type = after.closed === null ? 'point_reopened' : 'point_closed';
    appendNotice(tx, ports, { type, slug, point: id }, { agentId: null, runId: null });
    return after;
  });
}
