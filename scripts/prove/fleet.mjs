// Runs a fleet of real Batons and simulated machines with a real hub, kills the hub and machines, cuts connections and
// forges commands. Exit code 1 if an event was lost or doubled, a command was performed twice, late or forged, or a view is wrong.
// docs/reliability/how-we-prove.md describes what is proved.
//
//   npm run prove:fleet [-- --short] [--json]

import { loadTypeScript } from './load-typescript.mjs';

await loadTypeScript(async (load) => {
  const { main } = await load('/prove/fleet/main.ts');
  process.exitCode = await main(process.argv.slice(2));
});
// Exit explicitly, because connections that are still being closed would keep the process alive.
process.exit();
