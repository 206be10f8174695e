// Measures `baton lint` on sets of good and bad packages whose authors did not see its rules. Exit code 1 if a set
// stays below the thresholds in bench/lint/main.ts. docs/reliability/how-we-prove.md describes what is measured.
//
//   npm run bench:lint [-- --json]

import { loadTypeScript } from '../prove/load-typescript.mjs';

await loadTypeScript(async (load) => {
  const { main } = await load('/bench/lint/main.ts');
  process.exitCode = await main(process.argv.slice(2));
});
