import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { planted, plantNamed } from './plants.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Vite plugin that loads Baton's sources with a planted bug: BATON_PLANT=NAME selects the bug in plants.mjs.
 *
 * @param {string | undefined} name
 */
export function plantBug(name) {
  const plant = name ? plantNamed(name) : undefined;
  return {
    name: 'baton-plant',
    enforce: /** @type {const} */ ('pre'),
    /**
     * @param {string} source
     * @param {string} id
     */
    transform(source, id) {
      if (plant === undefined) return undefined;
      const file = relative(ROOT, id.split('?')[0] ?? id).replaceAll('\\', '/');
      const code = planted(plant, file, source);
      return code === undefined ? undefined : { code, map: null };
    },
  };
}
