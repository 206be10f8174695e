import { statSync } from 'node:fs';
import { stat } from 'node:fs/promises';

/** Returns a function that checks whether the folder at this path was removed or replaced since Baton started. */
export function watchHome(path: string): () => Promise<string | undefined> {
  const { dev, ino } = statSync(path);
  return async () => {
    const now = await stat(path).catch(() => undefined);
    if (now?.dev === dev && now.ino === ino) return undefined;
    const found = now === undefined ? 'no longer exists' : 'is not the folder that Baton was started with';
    return `${path} ${found}. Stop Baton, then start it with BATON_HOME set to the new path of that folder; until then, data that Baton writes may be lost`;
  };
}
