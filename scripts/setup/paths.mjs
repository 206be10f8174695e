import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The folder of the clone that contains this script. The setup may be called from any other folder, and must not change
 * files there.
 */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/**
 * A folder for caches and locks. Git ignores it. The folder is not in node_modules, because `npm ci` would delete a
 * lock there.
 */
export const CACHE = join(ROOT, '.cache');
