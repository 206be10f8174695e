import type { Ports } from './ports/index.ts';

/**
 * Waits until something new is recorded, but at most this many milliseconds. Used to wait for a hook: the facts of a
 * hook are recorded within milliseconds, and polling would find them later.
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
