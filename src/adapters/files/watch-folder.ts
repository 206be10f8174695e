import { type FSWatcher, watch } from 'node:fs';

/** Where the system cannot watch it, or the folder goes, nobody is called; the regular look sees it then. */
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
