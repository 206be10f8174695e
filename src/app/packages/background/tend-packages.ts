import type { Instant } from '../../../domain/instant.ts';
import type { Ports } from '../../ports/index.ts';
import { createStopWatch } from '../../workflows/note-stopped-steps.ts';
import { announcePackages } from './announce-packages.ts';
import { noteHeldUp } from './note-held-up.ts';
import { startReceivers } from './start-receivers.ts';
import { forgetEndedNotified, noteEndedSessions, restartFarDeadlines, tickPackages } from './tick-packages.ts';

/**
 * How often the package checks run while the store does not change. Without a change, only the passing of time can
 * change the result of a check. For example, Baton repeats a refused announcement after a pause.
 */
const RECHECK_MS = 10_000;

/**
 * Returns the function that does the package work of a reconcile. Each call checks the deadlines and, from time to
 * time, looks for stopped workflows. A call does everything else only if the store has changed or `RECHECK_MS` have
 * passed since the last time. So while the store does not change, the number of waiting packages does not make the
 * calls slower.
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
    // The first call also restarts deadlines that are too far in the future, because the clock may have been set back
    // while Baton was not running.
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
