// Measures the cost of creating a package and the cost of one reconcile pass, while 0, 1,000 or 10,000 packages wait.
// Exits with 1 if one of these costs is more than 1.3 times as high with 10,000 waiting packages as with none. Also
// measures the cost of a delegation for an agent. See docs/reliability/how-we-prove.md.
//
//   npm run bench:packages [-- --json]

import { loadTypeScript } from '../prove/load-typescript.mjs';

await loadTypeScript(async (load) => {
  const { main } = await load('/bench/packages/main.ts');
  process.exitCode = await main(process.argv.slice(2));
});
