// Delivers prompts to real practice agents in real tmux, judged by the agents' own logs. Exit code 1 if a prompt was
// lost, doubled, wrongly reported or typed where it must not be. docs/reliability/how-we-prove.md describes what is measured.
//
//   npm run bench:delivery [-- --short] [--json] [--only PROFILE] [--plant no_guard|mark_after_paste|hook_alone]

import { loadTypeScript } from '../prove/load-typescript.mjs';

await loadTypeScript(async (load) => {
  const { main } = await load('/bench/delivery/main.ts');
  process.exitCode = await main(process.argv.slice(2));
});
