import { messageOf } from './message-of.ts';
import { tellOperator } from './tell-operator.ts';
import type { Ports } from './world.ts';

/**
 * What keeps failing around Baton itself (tmux hangs, the disk is full, the spool is gone). One part that fails must not
 * stop the others, above all not the clock: a deadline that no one looks at is a run that waits for ever.
 */
export interface Trouble {
  /** undefined: it failed, and that is noted. */
  attempt<T>(part: string, work: () => Promise<T>): Promise<T | undefined>;
  /** One sentence for each part that fails right now. */
  current(): readonly string[];
}

/** Once can be chance; this often in a row the operator is told. */
const TELL_AFTER = 3;

export function createTrouble(ports: Ports): Trouble {
  const failing = new Map<string, { times: number; sentence: string }>();

  const tell = async (sentence: string): Promise<void> => {
    const about = { agentId: null, runId: null };
    await ports.store.write((tx) => tellOperator(tx, ports, { type: 'baton_trouble', sentence }, about));
  };

  const attempt = async <T>(part: string, work: () => Promise<T>): Promise<T | undefined> => {
    try {
      const result = await work();
      failing.delete(part);
      return result;
    } catch (error) {
      const times = (failing.get(part)?.times ?? 0) + 1;
      const sentence = `Baton could not ${part}: ${messageOf(error)}`;
      failing.set(part, { times, sentence });
      ports.log.error(sentence, { times });
      // If the store is what fails, the log file and the health answer are all that is left.
      if (times === TELL_AFTER) await tell(sentence).catch((failed: unknown) => ports.log.error(messageOf(failed)));
      return undefined;
    }
  };

  const current = (): readonly string[] => [...failing.values()].map(({ sentence }) => sentence);
  return { attempt, current };
}
