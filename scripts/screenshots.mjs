// Takes screenshots of the real server with practice agents.
//
//   npm run screenshots                     the pictures of the README, in docs/pictures
//   npm run screenshots -- --fleet [FOLDER] the pictures of the guide about fleets; with a folder, every page of a fleet
//   npm run screenshots -- --all FOLDER     every page and dialog: light, dark, phone, 1920 px, zoom of 200 %; 1, 8 and 40 agents

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { BatonServer } from './bench/baton-server.mjs';
import { launchChromium } from './bench/chromium.mjs';
import { takeAllPages } from './screenshots/all-pages.mjs';
import { takeFleetPages } from './screenshots/fleet-pages.mjs';
import { LOOKS, openTab, signIn, visit } from './screenshots/looks.mjs';
import { makeScene } from './screenshots/scene.mjs';
import { ROOT } from './setup/paths.mjs';

/**
 * The pictures of the README: for each page, the looks in which it is shown, such as light or dark.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const PICTURES = {
  agents: ['light', 'dark', 'phone'],
  run: ['light'],
  inbox: ['light'],
  gate: ['light'],
};
const FOLDER = join(ROOT, 'docs/pictures');

const at = process.argv.indexOf('--all');
const fleetAt = process.argv.indexOf('--fleet');
const baton = new BatonServer();
let browser;
try {
  browser = await launchChromium();
  if (fleetAt === -1) await baton.start();
  const folder = process.argv[fleetAt + 1];
  if (fleetAt !== -1) await takeFleetPages(browser, folder ?? FOLDER, { all: folder !== undefined });
  else if (at === -1) await takePictures(browser);
  else await takeAllPages(baton, browser, process.argv[at + 1] ?? join(ROOT, '.cache/screenshots'));
} finally {
  await browser?.close();
  await baton.cleanUp();
}

/** @param {import('playwright-core').Browser} chromium */
async function takePictures(chromium) {
  mkdirSync(FOLDER, { recursive: true });
  /** @type {Record<string, import('playwright-core').Page>} */
  const tabs = {};
  for (const look of LOOKS) {
    const tab = await openTab(chromium, look);
    await signIn(baton, tab);
    tabs[look.name] = tab;
  }
  await take('first-run', '/', 'light');
  const scene = await makeScene(baton);
  for (const [name, looks] of Object.entries(PICTURES))
    for (const look of looks) await take(name, scene[name] ?? '/', look);

  /**
   * @param {string} name
   * @param {string} path
   * @param {string} look
   */
  async function take(name, path, look) {
    const page = tabs[look];
    if (page === undefined) return;
    await visit(page, path);
    // On the page of a gate, press "Go to decision", so that the picture shows the decision and the changed
    // lines. Both are below the content of the gate.
    if (name === 'gate')
      await page
        .getByRole('button', { name: /^Go to decision/ })
        .first()
        .click();
    // Close the toasts about the handoffs of the scene, because they cover a part of the page.
    const toast = page.locator('[role=alert], [role=status]').getByRole('button', { name: 'Dismiss', exact: true });
    while ((await toast.count()) > 0) await toast.first().click();
    await page.screenshot({ path: join(FOLDER, `${name}-${look}.png`) });
    console.log(`${name}-${look}.png`);
  }
}
