// The real server, killed with -9 at every point of a handoff and of what the operator can do about one, judged from the
// practice agents' own logs. Exit code 1 if anything was lost, doubled or silent. docs/RELIABILITY.md tells what is proved.
//
//   npm run prove:crash [-- --short] [--json] [--runs N] [--seed S] [--only WORDS] [--lanes N]

import { createViteServer } from 'vitest/node';
import { ROOT } from './setup/paths.mjs';

// The proof is TypeScript beside the product's sources; Node 20 cannot read it by itself.
const server = await createViteServer({
  root: ROOT,
  configFile: false,
  appType: 'custom',
  logLevel: 'error',
  server: { middlewareMode: true, hmr: false, ws: false, watch: null },
  optimizeDeps: { noDiscovery: true },
});
try {
  const { main } = await server.ssrLoadModule('/bench/crash/main.ts');
  process.exitCode = await main(process.argv.slice(2));
} finally {
  await server.close();
}
