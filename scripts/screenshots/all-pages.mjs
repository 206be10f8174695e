import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ALL_LOOKS, openTab, settle, signIn, visit } from './looks.mjs';
import { addAgents, makeScene, startOne } from './scene.mjs';
import { viewsOf } from './views.mjs';

/** @typedef {import('../bench/baton-server.mjs').BatonServer} BatonServer */
/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./views.mjs').Shot} Shot */

/** The pages that look different with more agents. @type {Readonly<Record<string, Shot>>} */
const COUNTED = {
  'agents-list': { path: '/', open: (page) => choose(page, 'List') },
  agents: { path: '/', open: (page) => choose(page, 'Cards') },
  'agents-ended': { path: '/?tab=ended' },
  inbox: { path: '/inbox' },
  runs: { path: '/runs' },
  packages: { path: '/packages' },
  personas: { path: '/personas' },
  worktrees: { path: '/worktrees' },
  usage: { path: '/usage' },
  activity: { path: '/activity' },
};

/**
 * Chooses the view with cards or the view with a list. A page with one agent offers no choice.
 *
 * @param {Page} page
 * @param {string} name
 */
const choose = async (page, name) => {
  const button = page.getByRole('button', { name, exact: true });
  const more = page.getByRole('button', { name: 'Filter and sort' });
  if (await more.isVisible()) await more.click();
  if (await button.isVisible()) await button.click();
  if (await more.isVisible()) await more.click();
  await settle(page);
};

/**
 * Takes pictures of all pages and dialogs in all looks (such as light, dark or phone). Takes the pages of COUNTED three
 * times: with 1, 8 and 40 agents.
 *
 * @param {BatonServer} baton
 * @param {import('playwright-core').Browser} browser
 * @param {string} folder
 */
export async function takeAllPages(baton, browser, folder) {
  mkdirSync(folder, { recursive: true });
  const camera = await openCamera(baton, browser, folder);
  await camera.takeSignIn();
  await camera.signIn();
  await camera.take('first-run', { path: '/' });
  const first = await startOne(baton);
  await camera.takeEach(COUNTED, '-1');
  await camera.take('agent-1', { path: `/agents/${first.id}` });
  const scene = await makeScene(baton);
  await addAgents(baton, 8);
  const pages = Object.entries(scene).filter(([name]) => !(name in COUNTED));
  await camera.takeEach(COUNTED, '-8');
  for (const [name, path] of pages) await camera.take(name, { path });
  await camera.takeEach(viewsOf(scene), '');
  await addAgents(baton, 40);
  await camera.takeEach(COUNTED, '-40');
  await camera.take('palette-40', /** @type {Shot} */ (viewsOf(scene).palette));
}

/**
 * @param {BatonServer} baton
 * @param {import('playwright-core').Browser} browser
 * @param {string} folder
 */
async function openCamera(baton, browser, folder, looks = ALL_LOOKS) {
  const tabs = await Promise.all(looks.map(async (look) => ({ look, page: await openTab(browser, look) })));
  const take = async (/** @type {string} */ name, /** @type {Shot} */ { path, open, close }) => {
    for (const { look, page } of tabs) {
      await visit(page, path);
      await open?.(page);
      // Move the pointer to the corner, because a pointer on a row or button would change the color there.
      await page.mouse.move(0, 0);
      // Scroll to the top, unless a menu is open: the menu stays beside its button, and the picture must show the
      // menu.
      const isMenuOpen = (await page.getByRole('menu').count()) > 0;
      if (!isMenuOpen) await page.evaluate(() => scrollTo(0, 0));
      const isCovered = isMenuOpen || (await page.getByRole('dialog').count()) > 0;
      const isWholePage = !isCovered && look.name !== 'zoom-200';
      await page.screenshot({ path: join(folder, `${name}-${look.name}.png`), fullPage: isWholePage });
      await page.keyboard.press('Escape');
      await close?.(page);
    }
    console.log(name);
  };
  return {
    take,
    signIn: async () => {
      for (const { page } of tabs) await signIn(baton, page);
    },
    takeSignIn: async () => {
      const { url } = await baton.call('/api/login-codes', {});
      for (const { look, page } of tabs) {
        await page.goto(new URL('/', url).href);
        await page.locator('h1').waitFor();
        await page.screenshot({ path: join(folder, `sign-in-${look.name}.png`) });
      }
      console.log('sign-in');
    },
    takeEach: async (/** @type {Readonly<Record<string, Shot>>} */ shots, /** @type {string} */ suffix) => {
      for (const [name, shot] of Object.entries(shots)) await take(`${name}${suffix}`, shot);
    },
  };
}
