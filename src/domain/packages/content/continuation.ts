import { isOver, lacksRecord, type Run } from '../../handoffs/run.ts';
import type { Persona } from '../../personas/persona.ts';
import { holdsSecret } from '../lint/secrets.ts';
import type { PackageFact } from '../package-facts.ts';
import { isTerminal } from '../record.ts';
import type { StoredPackage } from '../stored-package.ts';
import type { PackageInput } from './package.ts';

/**
 * Returns the idempotency key of a run's package. With this key, a run creates only one package, however often Baton
 * updates the package.
 */
export const continuationKey = (runId: number): string => `run/${runId}`;

/**
 * True if Baton writes a package for the run (SPEC P25). The run must have a recorded document, and the document must
 * not wait for a review.
 */
export const isContinued = (run: Run): boolean =>
  !lacksRecord(run) &&
  run.review !== 'wanted' &&
  // The package of a run contains the state of git, which Baton learns by comparing the document with the project. So
  // while a run is in progress, Baton writes its package only after this comparison.
  (isOver(run) || !run.isComparing) &&
  typeof run.document?.sha256 === 'string';

/** Returns Baton's package for a handoff run (SPEC P25). The package contains no text of the operator or the agent. */
export function continuationContent(run: Run, { slug, name, role }: Persona): PackageInput {
  const { path = '', bytes } = run.document ?? {};
  return {
    type: 'continuation',
    from: { agent: slug },
    to: { agent: slug, reason: `A new session of ${name} takes over from agent ${run.agentId}` },
    reason_code: run.reason,
    context: {
      summary: `${name} (${role}) hands over in handoff ${run.id}: agent ${run.agentId} wrote ${path} (${bytes ?? 0} bytes), and Baton has verified it.`,
      artifacts: [{ path, type: 'doc', role: 'created', description: 'The handoff document, in the home of Baton' }],
      open_questions: [],
    },
    expectations: { deliverable: `The task of ${path}, restated by the successor and then continued` },
  };
}

export interface RunSeen {
  readonly run: Run;
  readonly predecessorGone: boolean;
  /** The id of a later run; null if there is none. If there is a later run, this run offers no actions (H35). */
  readonly newerRunId: number | null;
}

/**
 * Compares the package with the state of its run (SPEC P26). If the package is out of date, returns the fact that
 * updates the package. If not, returns undefined.
 */
export function continuationFact({ record }: StoredPackage, seen: RunSeen): PackageFact | undefined {
  const { run, predecessorGone, newerRunId } = seen;
  const { state } = record;
  if (isTerminal(record) || record.seal === null) return undefined;
  if (run.step === 'cancelled') return { type: 'cancelled', by: 'operator' };
  if (predecessorGone && !record.senderGone) return { type: 'session_ended', whose: 'sender' };
  if (state === 'pending' && run.acknowledgement !== null) return acknowledged(run);
  if (state === 'accepted')
    return run.step === 'completed' ? { type: 'completed', by: 'receiver', results: [], returned: false } : undefined;
  // The operator can resume a halted run. So the package of a halted run fails only when a newer run makes a resume
  // impossible.
  return newerRunId !== null && (run.step === 'failed' || run.step === 'completed')
    ? { type: 'failed', by: 'host', cause: endOf(run, newerRunId) }
    : undefined;
}

const acknowledged = ({ id, acknowledgement }: Run): PackageFact => ({
  type: 'acknowledged',
  by: 'receiver',
  acknowledgement: {
    level: 'full',
    task: fitToKeep(acknowledgement?.task ?? '', id),
    questions: [],
    blockers: [],
    starting: true,
  },
});

/**
 * Replaces a task that is empty or contains a secret (SPEC P11), because the package with the task is archived in the
 * project, and no secret may be stored there.
 */
function fitToKeep(task: string, runId: number): string {
  const isFit = task.trim() !== '' && !holdsSecret({ task });
  return isFit ? task : `The successor restated the task to Baton; see handoff ${runId}.`;
}

const endOf = (run: Run, newerRunId: number): string =>
  run.step === 'completed'
    ? `The successor never acknowledged handoff ${run.id}, and handoff ${newerRunId} is newer.`
    : `Handoff ${run.id} halted (${run.failure?.code ?? 'unknown'}), and handoff ${newerRunId} is newer.`;
