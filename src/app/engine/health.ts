import { errorMessage } from '../error-message.ts';
import { appendNotice } from '../inbox/append-notice.ts';
import { openItem, resolveItem } from '../inbox/sync-inbox.ts';
import type { Ports } from '../ports/index.ts';
import type { Tx } from '../ports/store.ts';

/**
 * Tracks the parts of Baton that keep failing (tmux hangs, the disk is full, the spool is gone). One failing part must
 * not stop the others, above all the clock: a run whose deadline is never checked waits forever.
 */
export interface Health {
  /** undefined: it failed, and the failure is recorded. */
  guard<T>(part: string, work: () => Promise<T>): Promise<T | undefined>;
  /** One sentence for each part that fails right now. */
  current(): readonly string[];
}

/** Consecutive failures before the operator is notified; a single one may be accidental. */
const TELL_AFTER = 3;

const NOBODY = { agentId: null, runId: null };

export function createHealth(ports: Ports): Health {
  const failing = new Map<string, { times: number; sentence: string }>();
  /** Parts that have no open inbox item, not even one left by the previous server. */
  const closed = new Set<string>();

  const item = (tx: Tx, part: string) =>
    tx
      .currentInboxItems({ of: 'trouble' })
      .find(({ cause, resolvedAt }) => cause.of === 'trouble' && cause.part === part && resolvedAt === null);

  const tell = async (part: string, sentence: string): Promise<void> => {
    closed.delete(part);
    await ports.store.write((tx) => {
      appendNotice(tx, ports, { type: 'baton_trouble', sentence }, NOBODY);
      const stands = item(tx, part);
      // The item was open before the restart, and its notification was sent then.
      if (stands?.sentence === sentence) return;
      if (stands !== undefined) resolveItem(tx, ports, stands, 'another problem replaced it');
      const cause = { of: 'trouble', part } as const;
      openItem(tx, ports, { cause, kind: 'notice', sentence, hint: 'See: baton events' }, NOBODY);
    });
  };

  /**
   * If the store itself fails, no inbox item can be stored: only the log file, the health endpoint and this message
   * remain.
   */
  const sendDirectly = async (sentence: string): Promise<void> => {
    const body = `${sentence}\nBaton cannot store anything until this is fixed. See: baton status`;
    await ports.notifier.send({ title: 'Baton: internal problem', body, urgency: 'critical' });
  };

  const close = async (part: string): Promise<void> => {
    if (closed.has(part)) return;
    closed.add(part);
    if (ports.store.read((tx) => item(tx, part)) === undefined) return;
    await ports.store.write((tx) => {
      const stands = item(tx, part);
      if (stands !== undefined) resolveItem(tx, ports, stands, 'it works again');
    });
  };
  const noted = (work: Promise<void>): Promise<void> =>
    work.catch((failed: unknown) => ports.log.error(errorMessage(failed)));

  const guard = async <T>(part: string, work: () => Promise<T>): Promise<T | undefined> => {
    try {
      const result = await work();
      failing.delete(part);
      await noted(close(part));
      return result;
    } catch (error) {
      const before = failing.get(part);
      const times = (before?.times ?? 0) + 1;
      const sentence = ports.secrets.redact(`Baton could not ${part}: ${errorMessage(error)}`);
      failing.set(part, { times, sentence });
      // Log repeats at powers of two only: a part that fails at every reconcile for days would push everything else out
      // of the log.
      if (before?.sentence !== sentence || Number.isInteger(Math.log2(times))) ports.log.error(sentence, { times });
      if (times === TELL_AFTER) await noted(tell(part, sentence).catch(() => sendDirectly(sentence)));
      return undefined;
    }
  };

  const current = (): readonly string[] => [...failing.values()].map(({ sentence }) => sentence);
  return { guard, current };
}
