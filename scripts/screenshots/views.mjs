import { settle } from './looks.mjs';
import { statesOf } from './states.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {{ path: string, open?: (page: Page) => Promise<void>, close?: (page: Page) => Promise<void> }} Shot a page, or a view that is opened on it */

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

/**
 * Groups the agents. On a phone, a button opens the choice of groups.
 *
 * @param {Page} page
 * @param {string} by
 */
const group = async (page, by) => {
  const more = page.getByRole('button', { name: 'Filter and sort' });
  if (await more.isVisible()) await more.click();
  await page.getByLabel('Group agents').selectOption(by);
  if (await more.isVisible()) await more.click();
  await settle(page);
};

/** @param {Page} page */
const changeSkill = async (page) => {
  await tab('Skill')(page);
  await page.getByRole('textbox', { name: 'skill.md' }).fill('# Robin\n\nAsk before you delete.');
};

/** @param {string} text */
const discard = (text) => async (/** @type {Page} */ page) => {
  await pressed(`Discard changes to ${text}`)(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click();
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
    'dialog-kill': { path: '/', open: chosen(/^Kill/) },
    'dialog-change-persona': { path: '/', open: chosen(/^Change persona/) },
    'dialog-policy': {
      path: '/',
      open: async (page) => {
        await chosen(/^Handoff policy/)(page);
        await page.getByRole('dialog').getByRole('radio', { name: 'Automatic' }).check();
      },
    },
    'dialog-default-persona': { path: '/settings', open: pressed(/^Change default persona/) },
    'dialog-remove-worktree': { path: '/worktrees', open: pressed(/^Remove worktree refund-tests/) },
    'dialog-fail-package': { path: at('package'), open: pressed(/^Mark as failed/) },
    'dialog-override': { path: at('draft'), open: pressed(/^Override/) },
    'dialog-sign-out': { path: '/settings', open: pressed('Sign out everywhere') },
    'dialog-lesson': {
      path: at('persona'),
      open: async (page) => {
        await tab('Lessons')(page);
        await pressed(/^Edit lesson/)(page);
      },
    },
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
    'persona-unsaved': { path: at('persona'), open: changeSkill, close: discard('skill.md') },
    'dialog-discard': {
      path: at('persona'),
      open: async (page) => {
        await changeSkill(page);
        await pressed('Discard changes to skill.md')(page);
      },
      close: discard('skill.md'),
    },
    'settings-unsaved': {
      path: '/settings',
      open: async (page) => {
        await page
          .getByRole('button', { name: /^Change handoff policy/ })
          .first()
          .click();
        await page
          .getByRole('textbox', { name: 'Instruction text', exact: true })
          .fill('Write to {{path}} and tell {{somebody}}.');
      },
      close: async (page) => {
        await discard('the instruction text')(page);
        await page
          .getByRole('button', { name: /^Close handoff policy/ })
          .first()
          .click();
      },
    },
    'dialog-persona-edit': { path: at('persona'), open: pressed(/^Edit name and role/) },
    'package-new-text': {
      path: '/packages/new',
      open: async (page) => page.getByRole('button', { name: 'As text' }).click(),
      close: async (page) => page.getByRole('button', { name: 'In a form' }).click(),
    },
    'package-new-checked': {
      path: '/packages/new',
      open: async (page) => {
        await page.getByLabel('Project', { exact: true }).selectOption({ index: 1 });
        await page.getByLabel('Why this agent').fill('Ada reviewed the refund code in March');
        await page.getByRole('button', { name: 'Check package' }).click();
        await page
          .getByRole('region', { name: 'Check results' })
          .getByText(/^(Not ready|Ready)/)
          .waitFor();
      },
      close: async (page) => page.reload(),
    },
    'gate-decide': {
      path: at('gate'),
      open: async (page) => {
        await page
          .getByRole('button', { name: /^Go to decision/ })
          .first()
          .click();
        await page.getByRole('radio', { name: 'Reject' }).check();
      },
      close: async (page) => page.reload(),
    },
    'agent-message': {
      path: '/',
      open: async (page) =>
        page
          .getByRole('button', { name: /^Message/ })
          .first()
          .click(),
      close: async (page) =>
        page
          .getByRole('button', { name: /^Message/ })
          .first()
          .click(),
    },
    'agent-environment': {
      path: at('agent'),
      open: async (page) => {
        await page.getByText('Environment', { exact: true }).click();
        await page.getByText(/^Variables that a new agent/).waitFor();
      },
    },
    'agents-by-project': {
      path: '/',
      open: (page) => group(page, 'project'),
      close: (page) => group(page, 'none'),
    },
    'run-unknown': { path: '/runs/999' },
    'package-unknown': { path: '/packages/HO-2026-999' },
    'persona-unknown': { path: '/personas/developer-none-9' },
    'page-unknown': { path: '/no-such-page' },
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
    ...statesOf((page, name) => pressed(name)(page)),
  };
};
