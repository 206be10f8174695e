import type { Ports } from './ports/index.ts';

/**
 * Waits for the next commit of the store, but at most this many milliseconds. Callers that wait for a hook use this
 * function, because the facts of a hook are committed within milliseconds, and a poll would find them later.
 */
export function awaitNews({ store, clock }: Pick<Ports, 'store' | 'clock'>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      cancel();
      ignore();
      resolve();
    };
    const ignore = store.onCommit(end);
    const cancel = clock.after(ms, end);
  });
}
