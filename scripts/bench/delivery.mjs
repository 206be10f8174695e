// Sends prompts to real practice agents in real tmux, and checks in the agents' own logs what arrived. Exits with 1 if
// a prompt was lost, arrived twice, was reported wrongly, or was typed into the wrong place. See
// docs/reliability/how-we-prove.md.
//
//   npm run bench:delivery -- --client codex [--json] [--count N]    a real client; its stub model logs the prompts
//   npm run bench:delivery [-- --short] [--json] [--only PROFILE] [--plant no_guard|mark_after_paste|hook_alone]

import { benchDeliveries } from '../../test/clients/deliveries.mjs';
import { CLIENTS } from '../../test/clients/describe/client.mjs';
import { loadTypeScript } from '../prove/load-typescript.mjs';
import { installClient } from '../setup/client.mjs';

const args = process.argv.slice(2);
const optionOf = (/** @type {string} */ name) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);

if (args.includes('--client')) await benchClient();
else
  await loadTypeScript(async (load) => {
    const { main } = await load('/bench/delivery/main.ts');
    process.exitCode = await main(args);
  });

async function benchClient() {
  const client = CLIENTS.find(({ id }) => id === optionOf('--client'));
  if (client === undefined) throw new Error(`--client must be one of ${CLIENTS.map(({ id }) => id).join(', ')}`);
  const { version } = client;
  const program = await installClient(client, version);
  const say = (/** @type {string} */ line) => console.error(line);
  const report = await benchDeliveries({ client, program, version, count: Number(optionOf('--count') ?? 200), say });
  console.log(args.includes('--json') ? JSON.stringify(report) : report);
  process.exitCode = report.passed ? 0 : 1;
}
