import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * With every link on the way resolved, also where the end of it does not exist yet. Clients compare the resolved path of a
 * file with the rules that they are given, so a rule for a path through a link allows nothing.
 */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), basename(path));
  }
}
