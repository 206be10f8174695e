import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Resolves every symbolic link in the path, even if the last parts of the path do not exist yet. Clients resolve the
 * path of a file before they compare it with their rules, so a rule with an unresolved link would never match.
 */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), basename(path));
  }
}
