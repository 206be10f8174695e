import { existsSync } from 'node:fs';
import { HomeFault } from '../../adapters/home/home-fault.ts';
import { type Home, isClosed } from '../../adapters/home/open-home.ts';
import { takeServerLock } from '../../adapters/home/server-lock.ts';
import { finishRestore, isRestoreUnfinished } from '../../adapters/maintenance/swap-in.ts';
import { CliFault } from '../../surfaces/cli/cli-fault.ts';

/** The dependencies that all files of this folder share. */
export interface MaintenanceContext {
  readonly home: Home;
  readonly self: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly checkpoint: (name: string) => void;
}

/** Runs `work` with exclusive access to the home. Throws if a server runs. No server can start while `work` runs. */
export async function alone<T>(
  { home, checkpoint }: MaintenanceContext,
  what: string,
  work: () => T | Promise<T>,
): Promise<T> {
  const unlock = lock(home, what);
  try {
    finishRestore(home.path, checkpoint);
    return await work();
  } finally {
    unlock();
  }
}

/** Returns whether a server runs on this home. Used by dry runs, which need no exclusive access to the home. */
export function isServed({ home }: MaintenanceContext): boolean {
  try {
    takeServerLock(home.lock)();
    return false;
  } catch (error) {
    if (error instanceof HomeFault) return true;
    throw error;
  }
}

function lock(home: Home, what: string): () => void {
  try {
    return takeServerLock(home.lock);
  } catch (error) {
    if (!(error instanceof HomeFault)) throw error;
    throw new CliFault(
      `Baton is running on ${home.path}, so ${what}. Stop Baton first (agents keep running): baton stop`,
      { code: 'running' },
    );
  }
}

/** Finishes an interrupted restore, so that a command does not read a home that is only partly restored. */
export async function settled(context: MaintenanceContext): Promise<void> {
  if (isRestoreUnfinished(context.home.path))
    await alone(context, 'an interrupted restore cannot be finished', () => undefined);
}

export function refuseMissingStore({ home }: MaintenanceContext): void {
  if (isClosed(home.path))
    throw fault(`You cannot read and write in ${home.path}. Fix it with: chmod 700 ${home.path}`, 'bad_home');
  if (!existsSync(home.database))
    throw new CliFault(
      `${home.path} has no data yet, because Baton was never started there. Start Baton with: baton start`,
      {
        code: 'not_found',
      },
    );
}

export const fault = (sentence: string, code: string): CliFault => new CliFault(sentence, { code });
