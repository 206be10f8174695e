// Measures how much slower Baton becomes after years of history (goal P10). Compares a young store with a store of
// 11,000 agents, 10,000 runs, 1,000,000 events and 20,000 packages. Exits with 1 if an operation costs more than 1.2
// times as much, or blocks the event loop for more than 50 ms.
//
//   npm run bench:history [-- --json] [--events 1000000]

import { loadTypeScript } from '../prove/load-typescript.mjs';

await loadTypeScript(async (load) => {
  const { main } = await load('/bench/history/main.ts');
  process.exitCode = await main(process.argv.slice(2));
});
