// Kills the real server with kill -9 at every crash point (a named moment in a handoff or in an action of the
// operator). Checks the result in the practice agents' own logs. Exits with 1 if anything was lost, happened twice or
// failed without a message. See docs/reliability/how-we-prove.md.
//
//   npm run prove:crash [-- --short] [--json] [--runs N] [--seed S] [--only WORDS] [--lanes N]
//   npm run prove:crash -- --random N [--seed S] [--json]      random kills, also of packages and worktrees
//   npm run prove:crash -- --help

import { loadTypeScript } from './load-typescript.mjs';

await loadTypeScript(async (load) => {
  const { main } = await load('/prove/crash/main.ts');
  process.exitCode = await main(process.argv.slice(2));
});
