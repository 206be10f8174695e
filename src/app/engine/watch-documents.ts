import { errorMessage } from '../error-message.ts';
import type { Ports } from '../ports/index.ts';
import { REST_STABLE_MS, restWithDocument } from './client/rest-with-document.ts';
import { recordFact } from './record-facts.ts';

/**
 * Finds the document of a run even if the Stop hook is lost. Reconcile alone would need seconds. A watch on the folder
 * finds a complete document within a second after the agent becomes idle.
 */
export interface DocumentWatch {
  /**
   * Begins and ends the watches on the folders of documents, depending on the runs. Must be called after every possible
   * change of a run.
   */
  follow(): void;
  stop(): void;
}

/** How long the document must stay unchanged, while the agent is idle, before Baton reports it as finished. */
const STABLE_MS = 400;
/**
 * The first pause between two readings of the document. It is short, because most agents become idle right after they
 * wrote the document.
 */
const FIRST_PACE_MS = 10;
const MAX_PACE_MS = 100;
/**
 * How long Baton polls a document. A client that writes for minutes should not be polled ten times a second, so after
 * this time only reconcile checks the document.
 */
const PATIENCE_MS = 60_000;

export function createDocumentWatch(ports: Ports): DocumentWatch {
  const watched = new Map<number, () => void>();
  const looking = new Set<number>();
  /**
   * The runs whose folder changed while Baton was reading their document. Baton reads the document again, because the
   * change may have completed it.
   */
  const changed = new Set<number>();

  const look = (runId: number): void => {
    changed.add(runId);
    if (looking.has(runId)) return;
    looking.add(runId);
    lookAgain(runId)
      .catch((error: unknown) => ports.log.warn(`could not check a document: ${errorMessage(error)}`, { run: runId }))
      .finally(() => looking.delete(runId));
  };
  const lookAgain = async (runId: number): Promise<void> => {
    while (changed.delete(runId)) await lookUntilOver(ports, runId, () => watched.has(runId));
  };

  const follow = (): void => {
    const awaiting = new Set(ports.store.read((tx) => tx.runIdsAt('awaiting_document')));
    for (const [runId, end] of watched) {
      if (awaiting.has(runId)) continue;
      end();
      watched.delete(runId);
    }
    for (const id of awaiting) {
      if (watched.has(id)) continue;
      const document = ports.store.read((tx) => tx.runById(id))?.document ?? null;
      if (document === null) continue;
      watched.set(
        id,
        ports.files.watchDocument(document.path, () => look(id)),
      );
      // Read the document at once, because the agent may have written the document before the watch began.
      look(id);
    }
  };

  const stop = (): void => {
    for (const end of watched.values()) end();
    watched.clear();
  };

  return { follow, stop };
}

/**
 * Polls the document of a run, as long as the run waits for the document and the document is complete. If an incomplete
 * document changes again, Baton calls this function again.
 */
async function lookUntilOver(ports: Ports, runId: number, isAwaited: () => boolean): Promise<void> {
  const { clock } = ports;
  const until = clock.monotonicMs() + PATIENCE_MS;
  const unchangedFor = createStopwatch(clock);
  const restsFor = createStopwatch(clock);
  let paceMs = FIRST_PACE_MS;
  while (isAwaited() && clock.monotonicMs() < until) {
    const run = ports.store.read((tx) => tx.runById(runId));
    if (run?.step !== 'awaiting_document' || run.document === null) return;
    const evidence = await ports.files.readDocumentFacts(run.document.path, run.endToken);
    if (!evidence?.markerFound) return;
    const rest = await restWithDocument(ports, run.agentId);
    const leftMs =
      rest === undefined
        ? MAX_PACE_MS
        : Math.max(
            STABLE_MS - unchangedFor(evidence.fingerprint),
            // A hook between two readings restarts the measurement of the idle time. The hook may belong to a turn that
            // has just begun and that the screen does not show yet.
            REST_STABLE_MS[rest.by] - restsFor(`${rest.by}/${rest.lastSeenAt}`),
          );
    if (rest === undefined) {
      unchangedFor(undefined);
      restsFor(undefined);
    } else if (leftMs <= 0) {
      await ports.store.write((tx) => {
        recordFact(tx, ports, { type: 'document_evidence_seen', runId });
        const agent = tx.agentById(run.agentId);
        // Record at once that the agent is idle. Reconcile would record this only after two observations, and Baton
        // could type /exit only then.
        const isSame = agent?.lastSeenAt === rest.lastSeenAt;
        if (rest.by === 'status' && isSame && (agent.state === 'working' || agent.state === 'unknown'))
          recordFact(tx, ports, { type: 'agent_seen_idle', agentId: agent.id, by: 'status' });
      });
      return;
    }
    const waitMs = Math.min(paceMs, Math.max(1, Math.ceil(leftMs)));
    await new Promise<void>((resolve) => clock.after(waitMs, resolve));
    paceMs = Math.min(MAX_PACE_MS, paceMs * 2);
  }
}

/**
 * Returns a function that takes the current value and returns for how many milliseconds the value has been the same. A
 * call with undefined resets the measurement.
 */
function createStopwatch({ monotonicMs }: Ports['clock']): (value: string | undefined) => number {
  let since: { readonly value: string; readonly atMs: number } | undefined;
  return (value) => {
    if (value === undefined) since = undefined;
    else if (since?.value !== value) since = { value, atMs: monotonicMs() };
    return since === undefined ? -1 : monotonicMs() - since.atMs;
  };
}
