// Measures the cost of creating a package and of one reconcile pass with 0, 1,000 and 10,000 waiting packages. Also
// measures the cost of a delegation for an agent. Exit code 1 if creating or a pass costs more than 1.3 times as much
// with 10,000 waiting packages as without. docs/reliability/how-we-prove.md describes what is measured.
//
//   npm run bench:packages [-- --json]

import { loadTypeScript } from '../prove/load-typescript.mjs';

await loadTypeScript(async (load) => {
  const { main } = await load('/bench/packages/main.ts');
  process.exitCode = await main(process.argv.slice(2));
});
