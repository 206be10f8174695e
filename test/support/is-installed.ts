import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** For tests with a program that not every machine has: where it is missing they are skipped, and their title says why. */
export const isInstalled = (program: string): boolean =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder || '.', program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
