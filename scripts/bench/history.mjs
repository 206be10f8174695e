// Measures P10: the cost of reconcile, event, handoff, start and every list after years of history, divided by the cost
// in a young store. The history has 11,000 agents (of which 1,000 were lost), 10,000 runs, 1,000,000 events and 20,000
// packages. Exit code 1 if a part costs more than 1.2 times as much or blocks the event loop for more than 50 ms.
//
//   npm run bench:history [-- --json] [--events 1000000]

import { loadTypeScript } from '../prove/load-typescript.mjs';

await loadTypeScript(async (load) => {
  const { main } = await load('/bench/history/main.ts');
  process.exitCode = await main(process.argv.slice(2));
});
