// npm run demo:fleet [-- --pictures FOLDER]
//
// Runs a hub and three Batons on this machine. On the page of the first Baton, an operator hands off an agent of the
// second Baton and decides a gate of the third. Removes all processes, tmux servers and folders at the end.

import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { launchChromium } from './bench/chromium.mjs';
import { FleetScene, until } from './walk/fleet-scene.mjs';

const at = process.argv.indexOf('--pictures');
const pictures = at === -1 ? undefined : process.argv[at + 1];
const scene = new FleetScene();
const began = Date.now();
const tell = (/** @type {string} */ line) =>
  console.log(`${((Date.now() - began) / 1_000).toFixed(1).padStart(6)} s  ${line}`);
let browser;
let hubPid = 0;
/** @type {string[]} */
const folders = [];
try {
  const address = await scene.begin(['workstation', 'laptop', 'cloud']);
  const [viewer, laptop, cloud] = [scene.baton('workstation'), scene.baton('laptop'), scene.baton('cloud')];
  folders.push(viewer.folder, laptop.folder, cloud.folder);
  hubPid = Number(readFileSync(join(viewer.home, 'fleet/hub/nats.pid'), 'utf8'));
  tell(`Three Batons are in one fleet: workstation (hub at ${address}), laptop and cloud.`);
  const robin = await scene.agent('laptop', { role: 'developer', name: 'Robin' });
  const kim = await scene.agent('cloud', { role: 'architect', name: 'Kim', project: 'billing' });
  const gate = await scene.gate('cloud', kim);
  tell(`Robin (agent ${robin.id}) works on laptop. Kim (agent ${kim.id}) on cloud waits at the gate ${gate}.`);

  browser = await launchChromium();
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  page.setDefaultTimeout(120_000);
  await page.goto((await viewer.call('/api/login-codes', {})).url);
  /** @param {string} name */
  const picture = async (name) => {
    if (pictures === undefined) return;
    mkdirSync(pictures, { recursive: true });
    await page.screenshot({ path: join(pictures, `${name}.png`) });
  };
  /** @param {string} name */
  const go = (name) => page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click();

  await go('Machines');
  const machines = page.getByRole('table', { name: 'Machines' });
  for (const name of ['workstation', 'laptop', 'cloud'])
    await machines.getByRole('row').filter({ hasText: name }).getByText('Up', { exact: true }).waitFor();
  await picture('machines');
  tell('The page of workstation shows all three machines as up.');

  await go('Agents');
  const card = page
    .getByRole('region', { name: 'laptop' })
    .getByRole('article', { name: `Robin on laptop, agent ${robin.id}` });
  await card.getByRole('button', { name: /^More actions for Robin on laptop/ }).click();
  await page.getByRole('menuitem', { name: 'Hand over: end of shift…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Start handoff' }).click();
  tell('The operator on workstation hands off Robin on laptop.');
  /** @type {{ agent_id: number, successor_agent_id: number, step: string, id: number } | undefined} */
  let run;
  await until(async () => {
    [run] = (await laptop.call('/api/runs')).runs;
    if (run?.step === 'failed') throw new Error(`handoff ${run.id} on laptop failed`);
    return run?.step === 'completed';
  }, 'the handoff on laptop completes');
  await page
    .getByRole('region', { name: 'laptop' })
    .getByRole('article', { name: `Robin on laptop, agent ${run?.successor_agent_id}` })
    .waitFor();
  await picture('agents');
  tell(
    `Handoff ${run?.id} completed on laptop: agent ${run?.agent_id} → agent ${run?.successor_agent_id}. The page shows the successor.`,
  );

  await go('Inbox');
  const item = page.getByRole('list', { name: 'Items that need you' }).getByRole('listitem').filter({ hasText: gate });
  await item.getByRole('button', { name: `Read and decide: ${gate} on cloud` }).click();
  const form = item.getByRole('region', { name: /^Decide/ });
  await form.getByLabel('Approve').check();
  for (const box of await form.getByRole('checkbox').all()) await box.check();
  await picture('gate');
  await form.getByRole('button', { name: /^Approve package/ }).click();
  await until(
    async () => (await cloud.call(`/api/packages/${gate}`)).state === 'completed',
    'the gate on cloud is decided',
  );
  await item.waitFor({ state: 'detached' });
  const { decision } = await cloud.call(`/api/packages/${gate}`);
  tell(`The gate ${gate} on cloud is approved by ${decision.by}. It is gone from the inbox of workstation.`);
} finally {
  await browser?.close();
  await scene.cleanUp();
}
await until(async () => !isAlive(hubPid), 'the hub ends');
const left = folders.filter((folder) => existsSync(folder));
if (left.length > 0) throw new Error(`these folders are left: ${left.join(', ')}`);
tell('Everything is gone: the hub, three Batons, their agents, tmux servers and folders.');

/** @param {number} pid */
function isAlive(pid) {
  try {
    return pid !== 0 && process.kill(pid, 0);
  } catch {
    return false;
  }
}
