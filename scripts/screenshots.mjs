// Takes screenshots of every page of the real server with practice agents: light, dark and phone width.
//
//   npm run screenshots [-- --out FOLDER]
//
// The README uses the main screenshots, which are in docs/pictures.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { BatonServer } from './bench/baton-server.mjs';
import { launchChromium } from './bench/chromium.mjs';
import { makeScene } from './screenshots/scene.mjs';
import { ROOT } from './setup/paths.mjs';

const LOOKS = [
  { name: 'light', colorScheme: 'light', viewport: { width: 1440, height: 900 } },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 1440, height: 900 } },
  { name: 'phone', colorScheme: 'light', viewport: { width: 390, height: 844 } },
];
/** The screenshots that the README uses. */
const MAIN = [
  'agents-light',
  'agents-dark',
  'run-light',
  'inbox-light',
  'agents-phone',
  'first-run-light',
  'gate-light',
];

const at = process.argv.indexOf('--out');
const out = at === -1 ? join(ROOT, '.cache/screenshots') : (process.argv[at + 1] ?? '.');
const pictures = join(ROOT, 'docs/pictures');
for (const folder of [out, pictures]) mkdirSync(folder, { recursive: true });

const baton = new BatonServer();
let browser;
try {
  await baton.start();
  browser = await launchChromium();
  /** @type {import('playwright-core').Page[]} */
  const pages = [];
  for (const { colorScheme, viewport } of LOOKS) {
    const context = await browser.newContext({
      colorScheme: /** @type {'light' | 'dark'} */ (colorScheme),
      viewport,
      reducedMotion: 'reduce',
      locale: 'en-GB',
    });
    const page = await context.newPage();
    await page.goto((await baton.call('/api/login-codes', {})).url);
    await page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
    pages.push(page);
  }
  await takeAll('first-run', '/');
  const scene = await makeScene(baton);
  for (const [name, path] of Object.entries(scene)) await takeAll(name, path);

  /** @param {string} name @param {string} path */
  async function takeAll(name, path) {
    for (const [index, page] of pages.entries()) {
      const look = LOOKS[index]?.name;
      await page.evaluate(async (to) => {
        if ((location.hash || '#/') === `#${to}`) return;
        const before = document.querySelector('main h1');
        location.hash = `#${to}`;
        // Wait: the previous page remains visible until the code of the next page is loaded.
        while (before?.isConnected) await new Promise(requestAnimationFrame);
      }, path);
      await page.locator('main h1').waitFor();
      // Wait until no part of the page shows that it is loading.
      await page.locator('main [data-loading]').first().waitFor({ state: 'detached' });
      const file = `${name}-${look}.png`;
      await page.screenshot({ path: join(out, file), fullPage: look === 'phone' });
      if (MAIN.includes(`${name}-${look}`)) await page.screenshot({ path: join(pictures, file) });
      console.log(file);
    }
  }
} finally {
  await browser?.close();
  await baton.cleanUp();
}
