// Measures `baton lint` on sets of good and bad packages that were written without a look at its rules. Exit code 1 if a
// set stays below the bars of bench/lint/main.ts. docs/RELIABILITY.md tells what is measured.
//
//   npm run bench:lint [-- --json]

import { loadTypeScript } from '../prove/load-typescript.mjs';

await loadTypeScript(async (load) => {
  const { main } = await load('/bench/lint/main.ts');
  process.exitCode = await main(process.argv.slice(2));
});
