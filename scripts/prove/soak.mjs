// Plays a working day in minutes: eight agents in worktrees, two adopted sessions, three handoffs and a reboot, judged
// by the practice agents' own logs. Exit code 1 if anything was lost, doubled or left over. See docs/reliability/how-we-prove.md.
//
//   npm run soak [-- --minutes N] [--json]

import { loadTypeScript } from './load-typescript.mjs';

await loadTypeScript(async (load) => {
  const { main } = await load('/prove/soak/main.ts');
  process.exitCode = await main(process.argv.slice(2));
});
