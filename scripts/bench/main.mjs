// Measures the performance goals P1 to P10. Compares Baton with a minimal program that does only the unavoidable work
// (bench/floor). Both run in turns, in several rounds. The result is the median of the rounds' ratios, printed as JSON
// on the last line.
//
//   npm run bench [-- --only P3,P4] [--json] [--short] [--rounds 3] [--write] [--profile FOLDER]
//
// --profile writes CPU profiles of the servers into the folder.
// --write stores the result with commit, date and load in docs/internals/bench-results.md.

import { loadTypeScript } from '../prove/load-typescript.mjs';

await loadTypeScript(async (load) => {
  const { main } = await load('/bench/main.ts');
  process.exitCode = await main(process.argv.slice(2), load);
});
