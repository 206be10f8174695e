import { errorMessage } from '../error-message.ts';
import { appendNotice } from '../inbox/append-notice.ts';
import { openItem, resolveItem } from '../inbox/sync-inbox.ts';
import type { Ports } from '../ports/index.ts';
import type { Tx } from '../ports/store.ts';

/**
 * Tracks the parts of Baton that keep failing, for example because tmux hangs or the disk is full. One failing part
 * must not stop the others. Above all, Baton must still check deadlines, because a run without deadlines could wait
 * forever.
 */
export interface Health {
  /** Runs `work` and returns its result. If `work` throws, records the failure and returns undefined. */
  guard<T>(part: string, work: () => Promise<T>): Promise<T | undefined>;
  /** Returns one sentence for each part that fails right now. */
  current(): readonly string[];
}

/** Number of consecutive failures after which Baton notifies the operator. A single failure may be accidental. */
const TELL_AFTER = 3;

const NOBODY = { agentId: null, runId: null };

export function createHealth(ports: Ports): Health {
  const failing = new Map<string, { times: number; sentence: string }>();
  /**
   * Parts of Baton that certainly have no open inbox item. For these parts, the store need not be asked. The list is
   * empty when the server starts, because an earlier server may have opened items.
   */
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
      // An inbox item about this problem is already open, so the operator has been notified. An earlier server may have
      // opened the item. Do not open a second one.
      if (stands?.sentence === sentence) return;
      if (stands !== undefined) resolveItem(tx, ports, stands, 'another problem replaced it');
      const cause = { of: 'trouble', part } as const;
      openItem(tx, ports, { cause, kind: 'notice', sentence, hint: 'See: baton events' }, NOBODY);
    });
  };

  /** Notifies the operator without an inbox item, because no item can be stored if the store itself fails. */
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
      // Log a repeated failure only if its count is a power of two, so that a part that fails for days does not fill
      // the log.
      if (before?.sentence !== sentence || Number.isInteger(Math.log2(times))) ports.log.error(sentence, { times });
      if (times === TELL_AFTER) await noted(tell(part, sentence).catch(() => sendDirectly(sentence)));
      return undefined;
    }
  };

  const current = (): readonly string[] => [...failing.values()].map(({ sentence }) => sentence);
  return { guard, current };
}
