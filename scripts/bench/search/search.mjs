// Measures the search over HTTP in a store with 100,000 handoff documents of at least 4 KB. Exit code 1 if the slowest
// 5 percent of the searches take more than 50 ms, a hostile query fails, a planted secret is found, or a purged text is
// found.
//
//   npm run bench:search [-- --json] [--documents 100000]

import { loadTypeScript } from '../../prove/load-typescript.mjs';

await loadTypeScript(async (load) => {
  const { main } = await load('/bench/search/main.ts');
  process.exitCode = await main(process.argv.slice(2));
});
