// Runs Baton's real core and use cases in thousands of simulated worlds with faults, and judges each world by its
// history. Exit code 1 if Baton broke a promise or a rare situation never occurred. docs/reliability/how-we-prove.md
// describes what is judged.
//
//   npm run prove:sim [-- --seeds N] [--from S] [--seed S] [--until-red] [--json]

import { fileURLToPath } from 'node:url';
import { loadTypeScript } from './load-typescript.mjs';

await loadTypeScript(async (load) => {
  const { main } = await load('/prove/sim/main.ts');
  process.exitCode = await main(process.argv.slice(2), fileURLToPath(new URL('./sim-worker.mjs', import.meta.url)));
});
