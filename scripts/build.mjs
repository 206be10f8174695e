// Bundles the programs and the page of src/ into dist/. It does not check types; `npm run check` does. If BATON_PLANT
// names a planted bug (a bug added on purpose), it also builds Baton with this bug into .cache/planted/NAME/dist.

import { existsSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPage } from './build/page.mjs';
import { buildPlanted } from './build/planted.mjs';
import { buildProgram } from './build/program.mjs';
import { withLock } from './setup/lock.mjs';
import { ROOT } from './setup/paths.mjs';

const DIST = join(ROOT, 'dist');
const OUTPUTS = new Set(['main', 'practice', 'hosts', 'chunks', 'surfaces', 'THIRD-PARTY.txt', '.stamp']);

/** @returns {Promise<boolean>} false if the build failed */
export function build() {
  if (!existsSync(join(ROOT, 'node_modules/rolldown'))) {
    console.error('node_modules is missing. Run: node scripts/setup.mjs --build');
    return Promise.resolve(false);
  }
  return withLock(async () => {
    try {
      removeStrangers();
      await buildProgram(DIST);
      await buildPage(join(DIST, 'surfaces/page'));
      return true;
    } catch (error) {
      console.error(error instanceof Error ? error.message : error);
      return false;
    }
  });
}

/**
 * Removes files that the builds of earlier Baton versions left behind (one file per module). npm would pack and publish
 * them.
 */
function removeStrangers() {
  if (!existsSync(DIST)) return;
  for (const name of readdirSync(DIST).filter((entry) => !OUTPUTS.has(entry)))
    rmSync(join(DIST, name), { recursive: true, force: true });
  for (const name of ['cli', 'http', 'mcp']) rmSync(join(DIST, 'surfaces', name), { recursive: true, force: true });
}

const calledDirectly = process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url);
if (calledDirectly && !(await build())) process.exitCode = 1;
else if (calledDirectly && process.env.BATON_PLANT) console.log(await buildPlanted(process.env.BATON_PLANT));
