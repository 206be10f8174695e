export interface PaneLock {
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
}

/**
 * Allows only one writer per pane at a time, in order of arrival. Writers to different panes do not wait for each
 * other.
 */
export function createPaneLock(): PaneLock {
  const tails = new Map<string, Promise<unknown>>();

  async function run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = tails.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    tails.set(key, mine);
    try {
      return await mine;
    } finally {
      if (tails.get(key) === mine) tails.delete(key);
    }
  }

  return { run };
}
