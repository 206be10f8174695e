import { statSync } from 'node:fs';
import { stat } from 'node:fs/promises';

/** Returns a check that reports if the folder at this path is no longer the one from the start. */
export function watchHome(path: string): () => Promise<string | undefined> {
  const { dev, ino } = statSync(path);
  return async () => {
    const now = await stat(path).catch(() => undefined);
    if (now?.dev === dev && now.ino === ino) return undefined;
    const found = now === undefined ? 'is not there any more' : 'is another folder than at the start';
    return `${path} ${found}. Stop Baton, then start it with BATON_HOME set to where its folder is now; what it writes until then may be lost`;
  };
}
