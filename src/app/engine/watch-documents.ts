import { isLive } from '../../domain/agents/agent.ts';
import type { Run } from '../../domain/handoffs/run.ts';
import { errorMessage } from '../error-message.ts';
import type { Ports } from '../ports/index.ts';
import { recordFact } from './record-facts.ts';

/**
 * Finds the document of a run even if the Stop hook is lost. Reconcile would need seconds for this; here a watch on the
 * folder reports a complete document within a second after the agent becomes idle.
 */
export interface DocumentWatch {
  /** Call when runs may have changed. */
  follow(): void;
  stop(): void;
}

/** How long the document must be unchanged, with the agent idle, before it is reported. */
const STABLE_MS = 400;
const PACE_MS = 100;
/**
 * How long to poll. After that, reconcile checks instead, because a client that writes for minutes should not be polled
 * ten times a second.
 */
const PATIENCE_MS = 60_000;

export function createDocumentWatch(ports: Ports): DocumentWatch {
  const watched = new Map<number, () => void>();
  const looking = new Set<number>();

  const look = (runId: number): void => {
    if (looking.has(runId)) return;
    looking.add(runId);
    lookUntilOver(ports, runId, () => watched.has(runId))
      .catch((error: unknown) => ports.log.warn(`could not check a document: ${errorMessage(error)}`, { run: runId }))
      .finally(() => looking.delete(runId));
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
      // Check now, because the document may have been written before the watch began.
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
 * Polls while the run waits for its document and the document is complete. Returns if it is incomplete; its next change
 * calls this function again.
 */
async function lookUntilOver(ports: Ports, runId: number, isAwaited: () => boolean): Promise<void> {
  const { clock } = ports;
  const until = clock.monotonicMs() + PATIENCE_MS;
  let since: { readonly fingerprint: string; readonly atMs: number } | undefined;
  while (isAwaited() && clock.monotonicMs() < until) {
    const run = ports.store.read((tx) => tx.runById(runId));
    if (run?.step !== 'awaiting_document' || run.document === null) return;
    const evidence = await ports.files.readDocumentFacts(run.document.path, run.endToken);
    if (!evidence?.markerFound) return;
    const now = clock.monotonicMs();
    if (!(await isAtRest(ports, run))) since = undefined;
    else if (since?.fingerprint !== evidence.fingerprint) since = { fingerprint: evidence.fingerprint, atMs: now };
    else if (now - since.atMs >= STABLE_MS) {
      await ports.store.write((tx) => recordFact(tx, ports, { type: 'document_evidence_seen', runId }));
      return;
    }
    await new Promise<void>((resolve) => clock.after(PACE_MS, resolve));
  }
}

/**
 * Is the agent idle, by its recorded state or by a free composer on its screen? The screen is enough here, because the
 * document is complete as well.
 */
async function isAtRest(ports: Ports, { agentId }: Run): Promise<boolean> {
  const agent = ports.store.read((tx) => tx.agentById(agentId));
  if (agent === undefined || !isLive(agent) || agent.state === 'idle') return true;
  if (agent.pane === null || agent.state !== 'working') return false;
  const screen = await ports.terminal.capture(agent.pane);
  return screen !== undefined && ports.runtimes.get(agent.runtime)?.readScreen(screen).kind === 'ready';
}
