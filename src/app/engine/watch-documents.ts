import { isLive } from '../../domain/agents/agent.ts';
import type { Run } from '../../domain/handoffs/run.ts';
import { errorMessage } from '../error-message.ts';
import type { Ports } from '../ports/index.ts';
import { recordFact } from './record-facts.ts';

/**
 * The Stop of a handoff turn may be lost. Reconcile then finds the document, but takes seconds; so while a run waits
 * for its document, its folder is watched, and a complete document is reported within a second after the agent becomes
 * idle.
 */
export interface DocumentWatch {
  /** Call when runs may have changed. */
  follow(): void;
  stop(): void;
}

/** How long the document must be unchanged and the agent idle. */
const STABLE_MS = 400;
const PACE_MS = 100;
/** After that reconcile takes over: a client that keeps writing for minutes is not polled ten times a second. */
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
      // The document may have been written before the watch began.
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
 * Polls while a complete document exists and its run waits for it. Returns on an incomplete document, whose next change
 * calls this again.
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
 * Idle by its state, or by a free composer on its screen: together with a complete document that is enough evidence.
 */
async function isAtRest(ports: Ports, { agentId }: Run): Promise<boolean> {
  const agent = ports.store.read((tx) => tx.agentById(agentId));
  if (agent === undefined || !isLive(agent) || agent.state === 'idle') return true;
  if (agent.pane === null || agent.state !== 'working') return false;
  const screen = await ports.terminal.capture(agent.pane);
  return screen !== undefined && ports.runtimes.get(agent.runtime)?.readScreen(screen).kind === 'ready';
}
