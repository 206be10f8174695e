import type { Ports } from '../../ports/index.ts';
import { announcePackages } from './announce-packages.ts';
import { noteHeldUp } from './note-held-up.ts';
import { startReceivers } from './start-receivers.ts';
import { noteEndedSessions, tickPackages } from './tick-packages.ts';

/**
 * How often the checks run if there was no commit. Then only time can change their results: for example, a session
 * ended minutes ago, or a refused prompt may be typed again.
 */
const RECHECK_MS = 10_000;

/**
 * Performs the package work of a reconcile. Deadlines are checked each time, everything else only after a commit or
 * after `RECHECK_MS`, so an unchanged store costs the same however many packages wait.
 */
export function createPackageTender(ports: Ports): () => Promise<void> {
  let hasNews = true;
  let lookedAtMs = 0;
  ports.store.onCommit(() => {
    hasNews = true;
  });
  return async () => {
    await tickPackages(ports);
    const now = ports.clock.monotonicMs();
    if (!hasNews && now - lookedAtMs < RECHECK_MS) return;
    hasNews = false;
    lookedAtMs = now;
    try {
      await noteEndedSessions(ports);
      await startReceivers(ports);
      await noteHeldUp(ports);
      await announcePackages(ports);
    } catch (error) {
      hasNews = true;
      throw error;
    }
  };
}
