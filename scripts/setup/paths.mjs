import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The clone this script belongs to; never the current directory, so that calls from elsewhere do no harm there. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Git-ignored. Not in node_modules: `npm ci` deletes that folder, and a lock inside would vanish under its owner. */
export const CACHE = join(ROOT, '.cache');
