// Measures the cost of creating a package and of one reconcile pass beside 0, 1,000 and 10,000 packages that wait, and what a delegation
// costs an agent. Exit code 1 if 10,000 make one of the two more than 1.3 times as expensive. docs/RELIABILITY.md tells what
// is measured.
//
//   npm run bench:packages [-- --json]

import { loadTypeScript } from '../prove/load-typescript.mjs';

await loadTypeScript(async (load) => {
  const { main } = await load('/bench/packages/main.ts');
  process.exitCode = await main(process.argv.slice(2));
});
