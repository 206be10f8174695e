import Database from 'libsql';
import { HomeFault } from './home-fault.ts';

/**
 * Takes the lock of the home. Throws HomeFault if a server already runs on this home. The kernel holds the lock on a
 * separate file and frees the lock even after kill -9. So Baton needs no pid file, which could be out of date.
 */
export function takeServerLock(path: string): () => void {
  const db = new Database(path, { timeout: 0 });
  try {
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error;
    throw new HomeFault(
      'Baton is already running on this home. Use it (baton open), stop it (baton stop), or set BATON_HOME to another folder.',
    );
  }
  return () => db.close();
}
