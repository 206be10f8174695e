// Real deliveries into real practice agents in real tmux, judged from the agents' own logs. Exit code 1 if a prompt was
// lost, doubled, wrongly reported or typed where it must not be. docs/RELIABILITY.md tells what is measured.
//
//   npm run bench:delivery [-- --short] [--json] [--only PROFILE] [--plant no_guard|mark_after_paste|hook_alone]

import { createViteServer } from 'vitest/node';
import { ROOT } from './setup/paths.mjs';

// The bench is TypeScript beside the product's sources; Node 20 cannot read it by itself.
const server = await createViteServer({
  root: ROOT,
  configFile: false,
  appType: 'custom',
  logLevel: 'error',
  server: { middlewareMode: true, hmr: false, ws: false, watch: null },
  optimizeDeps: { noDiscovery: true },
});
try {
  const { main } = await server.ssrLoadModule('/bench/delivery/main.ts');
  process.exitCode = await main(process.argv.slice(2), process.env);
} finally {
  await server.close();
}
