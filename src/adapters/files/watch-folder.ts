import { type FSWatcher, watch } from 'node:fs';

/**
 * Calls the listener when the folder changes. If the system cannot watch the folder or the folder is deleted, the
 * listener is not called, and only reconcile finds a change.
 */
export function watchFolder(folder: string, listener: () => void): () => void {
  let watcher: FSWatcher | undefined;
  const end = (): void => watcher?.close();
  try {
    watcher = watch(folder, { persistent: false }, listener);
    watcher.on('error', end);
  } catch {
    return () => undefined;
  }
  return end;
}
