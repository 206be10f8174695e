import type { Ports } from '../../ports/index.ts';
import { announcePackages } from './announce-packages.ts';
import { noteHeldUp } from './note-held-up.ts';
import { startReceivers } from './start-receivers.ts';
import { noteEndedSessions, tickPackages } from './tick-packages.ts';

/**
 * Without a commit, only time changes the result of these checks (a session that ended minutes ago, a prompt that may
 * be typed again), so checking this often is enough.
 */
const RECHECK_MS = 10_000;

/**
 * Package work of every reconcile: deadlines each time, the rest only after a commit or after `RECHECK_MS`. So an
 * unchanged store costs the same however many packages wait.
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
