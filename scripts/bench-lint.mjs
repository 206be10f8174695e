// How many planted defects `baton lint` finds in a labelled corpus of packages, and how many clean ones it blocks. Exit
// code 1 if it finds fewer than nine of ten, or blocks a clean one. docs/RELIABILITY.md tells what is measured.
//
//   npm run bench:lint [-- --json]

import { loadTypeScript } from './prove/load-typescript.mjs';

await loadTypeScript(async (load) => {
  const { main } = await load('/bench/lint/main.ts');
  process.exitCode = main(process.argv.slice(2));
});
