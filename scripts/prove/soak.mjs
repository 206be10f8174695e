// Runs a working day in a few minutes: eight agents in worktrees, two adopted sessions, three handoffs and a reboot.
// Checks the result in the practice agents' own logs. Exits with 1 if anything was lost or happened twice, or
// if a process still runs after the end. See docs/reliability/how-we-prove.md.
//
//   npm run soak [-- --minutes N] [--json]

import { loadTypeScript } from './load-typescript.mjs';

await loadTypeScript(async (load) => {
  const { main } = await load('/prove/soak/main.ts');
  process.exitCode = await main(process.argv.slice(2));
});
