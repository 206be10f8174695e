import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The clone of this script, not the current directory, because a call from elsewhere must not change files there. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** A folder that git ignores. It is not in node_modules, because `npm ci` would delete a lock there. */
export const CACHE = join(ROOT, '.cache');
