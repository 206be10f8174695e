import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Resolves every link in the path, even if the last parts of the path do not exist yet. Clients compare the resolved
 * path of a file with their rules, so a rule with an unresolved path would never match.
 */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), basename(path));
  }
}
