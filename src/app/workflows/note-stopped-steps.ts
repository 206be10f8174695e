import { isLive } from '../../domain/agents/agent.ts';
import { isWithin } from '../../domain/instant.ts';
import { canonicalJson } from '../../domain/packages/content/canonical-json.ts';
import type { StoppedStep, StoredPackage } from '../../domain/packages/stored-package.ts';
import { stoppedAfter } from '../../domain/workflows/workflow-position.ts';
import { runInFlightOf } from '../handoffs/run-in-flight.ts';
import { namesOf } from '../packages/package-caller.ts';
import { notePackage } from '../packages/record-package-fact.ts';
import type { Ports } from '../ports/index.ts';
import type { Tx } from '../ports/store.ts';

const EVERY_MS = 30_000;
/** For each agent name in a project, Baton checks only this many of the newest workflow steps. */
const NEWEST = 20;

/**
 * Finds workflow steps that ended without passing their work on (SPEC P38). Records each of them with the package of
 * the step, so that the inbox has an item about every stopped workflow.
 */
export function createStopWatch(ports: Ports): () => Promise<void> {
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  return async () => {
    const now = ports.clock.monotonicMs();
    if (now - lookedAtMs < EVERY_MS) return;
    lookedAtMs = now;
    await noteStoppedSteps(ports);
  };
}

export async function noteStoppedSteps(ports: Ports): Promise<void> {
  const completed = ports.store.read(completedSteps);
  for (const projectId of new Set(completed.map((each) => each.projectId))) {
    const path = ports.store.read((tx) => tx.projectById(projectId))?.path;
    const read = path === undefined ? undefined : await ports.workflows.read(path);
    const workflow = read?.kind === 'workflow' ? read.workflow : undefined;
    const changed = (tx: Tx): readonly (readonly [StoredPackage, StoppedStep | null])[] =>
      completedSteps(tx)
        .filter((each) => each.projectId === projectId)
        .map((each) => [each, stopOf(tx, ports, each, workflow)] as const)
        .filter(([each, stopped]) => canonicalJson(stopped) !== canonicalJson(each.stopped ?? null));
    if (ports.store.read(changed).length === 0) continue;
    await ports.store.write((tx) => {
      for (const [stored, stopped] of changed(tx))
        notePackage(tx, ports, stored, { note: 'stopped', agentId: null, record: stored.record, changes: { stopped } });
    });
  }
}

const completedSteps = (tx: Tx): readonly StoredPackage[] =>
  tx
    .packageKeys('step')
    .flatMap((key) => tx.packagesMarked('step', key, NEWEST, 'newest'))
    .filter(({ record }) => record.state === 'completed');

/**
 * Returns how the workflow stopped after this package. Returns null if the work was passed on, or if the receiver still
 * has time to pass it on.
 */
function stopOf(
  tx: Tx,
  ports: Pick<Ports, 'clock' | 'settings'>,
  stored: StoredPackage,
  workflow: Parameters<typeof stoppedAfter>[0] | undefined,
): StoppedStep | null {
  const stop = workflow && stoppedAfter(workflow, stored, tx.packages({ root: stored.lineage.root }));
  if (stop === undefined || stored.stopped) return stop ?? null;
  const { acknowledge, work } = ports.settings.packageTimers;
  return isWithin(isBusy(tx, stored) ? work : acknowledge, stored.updatedAt, ports.clock.now()) ? null : stop;
}

/**
 * Returns whether the receiver is still busy: an agent with the receiver's name is working or takes part in a handoff.
 * In this case, Baton waits longer before the workflow counts as stopped.
 */
const isBusy = (tx: Tx, { record, projectId }: StoredPackage): boolean =>
  tx
    .liveAgents()
    .filter((agent) => agent.projectId === projectId && isLive(agent) && namesOf(tx, agent).includes(record.to))
    .some((agent) => agent.state === 'working' || runInFlightOf(tx, agent.id) !== undefined);
