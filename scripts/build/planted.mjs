import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { plantBug } from '../../prove/plants/plugin.mjs';
import { ROOT } from '../setup/paths.mjs';
import { buildProgram } from './program.mjs';

/**
 * Builds Baton with one planted bug (a bug added on purpose), for tests that run Baton as a process.
 *
 * @param {string} name
 * @returns {Promise<string>} the folder of the build
 */
export async function buildPlanted(name) {
  const folder = join(ROOT, '.cache/planted', name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
  await buildProgram(join(folder, 'dist'), { plugins: [plantBug(name)], force: true });
  cpSync(join(ROOT, 'dist/surfaces/page'), join(folder, 'dist/surfaces/page'), { recursive: true });
  return folder;
}
