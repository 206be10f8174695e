import { closeSync, fsyncSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { HomeFault } from './home-fault.ts';

/**
 * Reads a secret from a 0600 file, and creates the file on first use. Refuses a file that others can read: repairing
 * the mode would not help, because others may already know the secret.
 */
export function readOrMakeSecret(path: string, make: () => string): string {
  try {
    const file = openSync(path, 'wx', 0o600);
    try {
      const secret = make();
      writeSync(file, `${secret}\n`);
      fsyncSync(file);
      return secret;
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  if ((statSync(path).mode & 0o077) !== 0)
    throw new HomeFault(`${path} can be read by others. Delete it; Baton then creates a new one.`);
  const secret = readFileSync(path, 'utf8').trim();
  if (secret === '') throw new HomeFault(`${path} is empty. Delete it; Baton then creates a new one.`);
  return secret;
}
