// Runs a fleet of real Batons and simulated machines with a real hub. Kills the hub and machines, cuts connections and
// forges commands. Exits with 1 if an event was lost or stored twice, if a page shows something wrong, or if a machine
// performed a forged or expired command, or performed a command twice. See docs/reliability/how-we-prove.md.
//
//   npm run prove:fleet [-- --short] [--json]

import { loadTypeScript } from './load-typescript.mjs';

await loadTypeScript(async (load) => {
  const { main } = await load('/prove/fleet/main.ts');
  process.exitCode = await main(process.argv.slice(2));
});
// Exit explicitly, because connections that are still being closed would keep the process alive.
process.exit();
