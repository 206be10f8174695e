import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The clone this script belongs to, not the current directory: a call from elsewhere must not change files there. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Git-ignored. Not in node_modules: `npm ci` deletes that folder, and would delete a lock in it. */
export const CACHE = join(ROOT, '.cache');
