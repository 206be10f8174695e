// Attacks the real server: every route with every hostile request, a page with a rebound host name in a real browser,
// another user, hostile texts in every place where text enters Baton, and 32 processes at once. Exit code 1 if an
// attack worked. docs/reliability/how-we-prove.md describes what is proved.
//
//   npm run prove:guard [-- --short] [--json]

import { loadTypeScript } from './load-typescript.mjs';

await loadTypeScript(async (load) => {
  const { main } = await load('/prove/guard/main.ts');
  process.exitCode = await main(process.argv.slice(2));
});
