// Measures what it costs to create a package, and what one reconcile pass costs, while 0, 1,000 or 10,000 packages
// wait. Exits with 1 if either costs more than 1.3 times as much with 10,000 waiting packages as with none. Also
// measures what a delegation costs an agent. See docs/reliability/how-we-prove.md.
//
//   npm run bench:packages [-- --json]

import { loadTypeScript } from '../prove/load-typescript.mjs';

await loadTypeScript(async (load) => {
  const { main } = await load('/bench/packages/main.ts');
  process.exitCode = await main(process.argv.slice(2));
});
