// Measures how well `baton lint` tells good packages from bad ones. The authors of the packages did not see the rules
// of the lint. Exits with 1 if the result is below the thresholds in bench/lint/main.ts. See
// docs/reliability/how-we-prove.md.
//
//   npm run bench:lint [-- --json]

import { loadTypeScript } from '../prove/load-typescript.mjs';

await loadTypeScript(async (load) => {
  const { main } = await load('/bench/lint/main.ts');
  process.exitCode = await main(process.argv.slice(2));
});
