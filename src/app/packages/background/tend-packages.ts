import type { Instant } from '../../../domain/instant.ts';
import type { Ports } from '../../ports/index.ts';
import { createStopWatch } from '../../workflows/note-stopped-steps.ts';
import { announcePackages } from './announce-packages.ts';
import { noteHeldUp } from './note-held-up.ts';
import { startReceivers } from './start-receivers.ts';
import { forgetEndedNotified, noteEndedSessions, restartFarDeadlines, tickPackages } from './tick-packages.ts';

/**
 * How often the checks run if nothing was committed. Without a commit, their result can change only because time
 * passes: for example, a refused prompt may be typed again.
 */
const RECHECK_MS = 10_000;

/**
 * Returns the function that does the package work of a reconcile. The function checks deadlines each time, and
 * everything else only after a commit or after `RECHECK_MS`. So while nothing is committed, the cost does not depend on
 * the number of waiting packages.
 */
export function createPackageTender(ports: Ports): () => Promise<void> {
  const findStops = createStopWatch(ports);
  let hasNews = true;
  let lookedAtMs = 0;
  let tickedAt: Instant | undefined;
  ports.store.onCommit(() => {
    hasNews = true;
  });
  return async () => {
    const at = ports.clock.now();
    // The clock may have been set back while Baton was not running. So the first call also restarts deadlines.
    if (tickedAt === undefined || at < tickedAt) await restartFarDeadlines(ports);
    tickedAt = at;
    await tickPackages(ports);
    await findStops();
    const now = ports.clock.monotonicMs();
    if (!hasNews && now - lookedAtMs < RECHECK_MS) return;
    hasNews = false;
    lookedAtMs = now;
    try {
      await noteEndedSessions(ports);
      await forgetEndedNotified(ports);
      await startReceivers(ports);
      await noteHeldUp(ports);
      await announcePackages(ports);
    } catch (error) {
      hasNews = true;
      throw error;
    }
  };
}
