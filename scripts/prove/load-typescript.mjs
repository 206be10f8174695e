import { createViteServer } from 'vitest/node';
import { ROOT } from '../setup/paths.mjs';

/**
 * The proofs are TypeScript beside the product's sources; Node 20 cannot read it by itself.
 *
 * @param {(load: (path: string) => Promise<any>) => Promise<void>} work
 */
export async function loadTypeScript(work) {
  const server = await createViteServer({
    root: ROOT,
    configFile: false,
    appType: 'custom',
    logLevel: 'error',
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  });
  try {
    await work((path) => server.ssrLoadModule(path));
  } finally {
    await server.close();
  }
}
