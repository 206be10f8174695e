import { createViteServer } from 'vitest/node';
import { plantBug } from '../../prove/plants/plugin.mjs';
import { ROOT } from '../setup/paths.mjs';
import { sitAtStrangersDesk } from './strangers-desk.mjs';

/**
 * Loads TypeScript modules of this repository, because Node 20 cannot run TypeScript by itself. If BATON_PLANT names a
 * planted bug (a bug added on purpose), loads Baton's sources with this bug.
 *
 * @param {(load: (path: string) => Promise<any>) => Promise<void>} work
 */
export async function loadTypeScript(work) {
  const leave = sitAtStrangersDesk();
  const server = await createViteServer({
    root: ROOT,
    configFile: false,
    appType: 'custom',
    logLevel: 'error',
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
    plugins: [plantBug(process.env.BATON_PLANT)],
  });
  try {
    await work((path) => server.ssrLoadModule(path));
  } finally {
    await server.close();
    leave();
  }
}
