import { settle, visit } from './looks.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {{ path: string, open?: (page: Page) => Promise<void>, close?: (page: Page) => Promise<void> }} Shot a page, or a view that is opened on it */

/** Matches the address of the event stream. If the page cannot open this stream, it says that it is offline. */
const EVENT_STREAM = /\/api\/events\?/;

/** @param {(page: Page) => import('playwright-core').Locator} button */
const pressing = (button) => async (/** @type {Page} */ page) => {
  await button(page).click();
  await page.getByRole('dialog').waitFor();
  await settle(page);
};

/** @param {string | RegExp} name */
const pressed = (name) => pressing((page) => page.getByRole('button', { name }).first());

/** @param {string} name */
const tab = (name) => async (/** @type {Page} */ page) => {
  await page.getByRole('tab', { name: new RegExp(`^${name}`) }).click();
  await settle(page);
};

const startDialog = pressing((page) => page.getByRole('button', { name: 'Start agent', exact: true }));

/** @param {Page} page */
const openMenu = async (page) => {
  await page.getByRole('button', { name: /^More actions for Ada/ }).click();
  await page.getByRole('menu').waitFor();
};

/** @param {string | RegExp} item */
const chosen = (item) => async (/** @type {Page} */ page) => {
  await openMenu(page);
  await pressing((tab) => tab.getByRole('menuitem', { name: item }))(page);
};

/** @param {string} key */
const key = (key) => async (/** @type {Page} */ page) => {
  await page.keyboard.press(key);
  await page.getByRole('dialog').waitFor();
};

/**
 * The dialogs, menus and other views that do not appear by opening a path, but need clicks.
 * @param {Readonly<Record<string, string>>} scene page name → address
 * @returns {Readonly<Record<string, Shot>>}
 */
export const viewsOf = (scene) => {
  const at = (/** @type {string} */ name) => scene[name] ?? '/';
  return {
    'dialog-start': { path: '/', open: startDialog },
    'dialog-start-several': {
      path: '/',
      open: async (page) => {
        await startDialog(page);
        await page.getByLabel('Number of agents').fill('5');
        await page
          .getByLabel(/^First prompt/)
          .first()
          .fill('Read PLAN.md and do the first open step.');
      },
    },
    'dialog-handoff': {
      path: '/',
      open: async (page) => {
        await chosen('Hand over…')(page);
        await page.getByRole('dialog').getByRole('checkbox').first().check();
      },
    },
    'dialog-stop': { path: '/', open: chosen(/^Stop/) },
    'dialog-another-file': { path: at('run-failed'), open: pressed(/^Use another file/) },
    'dialog-send-back': { path: at('run-review'), open: pressed(/^Send document back/) },
    'dialog-cancel-package': { path: at('gate'), open: pressed(/^Cancel package/) },
    'dialog-persona': { path: '/personas', open: pressed('New persona') },
    'agent-menu': { path: '/', open: openMenu },
    palette: { path: '/', open: key('Control+k') },
    shortcuts: { path: '/', open: key('?') },
    'persona-experience': { path: at('persona'), open: tab('Experience') },
    'persona-lessons': { path: at('persona'), open: tab('Lessons') },
    'persona-points': { path: at('persona'), open: tab('Open points') },
    'persona-handoffs': { path: at('persona'), open: tab('Handoffs') },
    'persona-usage': { path: at('persona'), open: tab('Usage') },
    'persona-policy': { path: at('persona'), open: tab('Policy') },
    'persona-types': {
      path: at('persona'),
      open: async (page) => {
        await tab('Agent types')(page);
        for (let count = 0; count < 2; count++) await page.getByRole('button', { name: /^Add agent type/ }).click();
      },
      close: async (page) => page.getByRole('button', { name: /^Discard changes to agent types/ }).click(),
    },
    'dialog-persona-edit': { path: at('persona'), open: pressed(/^Edit name and role/) },
    offline: {
      path: '/',
      open: async (page) => {
        await page.route(EVENT_STREAM, (route) => route.abort());
        await page.reload();
        await page.getByRole('alert').filter({ hasText: 'Connection lost' }).waitFor();
      },
      close: async (page) => page.unroute(EVENT_STREAM),
    },
    'package-new-text': {
      path: '/packages/new',
      open: async (page) => page.getByRole('button', { name: 'As text' }).click(),
      close: async (page) => page.getByRole('button', { name: 'In a form' }).click(),
    },
    'inbox-history': {
      path: '/inbox',
      open: async (page) => {
        await page.getByRole('button', { name: 'Show history' }).click();
        await settle(page);
      },
    },
    search: { path: '/search?q=retry' },
    'search-nothing': { path: '/search?q=xylophone' },
    'search-empty': { path: '/search' },
    'usage-limit': { path: '/', open: limitFirst, close: (page) => page.unrouteAll({ behavior: 'wait' }) },
  };
};

/**
 * Adds a usage limit to the answers of the server, because the practice agent has none.
 * @param {Page} page
 */
async function limitFirst(page) {
  const at = new Date().toISOString();
  const limit = {
    ...{ words: '5-hour limit reached', until: new Date(Date.now() + 7_200_000).toISOString() },
    ...{ retries_at: null, continues_itself: false, waits: false },
  };
  const sentence = 'Noa (agent 1) is under a usage limit: 5-hour limit reached.';
  const needs = { severity: 'stuck', sentence, since: at, item_id: 9_001 };
  /** @param {{ id: number }} agent */
  const limited = (agent) => (agent.id === 1 ? { ...agent, state: 'limited', limit, needs } : agent);
  const item = {
    ...{ id: 9_001, kind: 'decision', severity: 'stuck', sentence, hint: '', agent_id: 1, run_id: null },
    ...{ package_id: null, opened_at: at, offers: [], notified: {} },
  };
  await page.route(/\/api\/agents(\?|$)/, async (route) => {
    const answer = await (await route.fetch()).json();
    await route.fulfill({ json: { ...answer, agents: answer.agents.map(limited) } });
  });
  await page.route('**/api/inbox*', async (route) => {
    const answer = await (await route.fetch()).json();
    await route.fulfill({ json: { ...answer, items: [item, ...answer.items] } });
  });
  await page.reload();
  await visit(page, '/');
  await page
    .getByText(/Usage limit:/)
    .first()
    .waitFor();
}
