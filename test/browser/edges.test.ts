import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../../scripts/bench/chromium.mjs';
import { BatonProcess } from '../support/baton-process.ts';
import { goTo } from './support/alive.ts';
import { openPage } from './support/browser.ts';

/** Tests edge cases of a page that is open all day and clicked in a hurry. */
describe('a page that is left open', () => {
  let baton: BatonProcess;
  let browser: Browser;
  beforeAll(async () => {
    baton = await new BatonProcess().start();
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await baton.cleanUp();
  });

  it('a message draft for one agent is not shown on the page of another agent', async () => {
    const { page, context } = await openPage(browser, baton);
    const [one, two] = [await baton.agent(), await baton.agent()];
    for (const { id } of [one, two]) {
      await goTo(page, `/agents/${id}`);
      await page.getByRole('heading', { name: new RegExp(`agent ${id}$`) }).waitFor();
      const box = page.getByRole('textbox', { name: /^Message to/ });
      expect(await box.inputValue()).toBe('');
      await box.fill(`for agent ${id} alone`);
    }
    await page.goBack();
    await page.getByRole('heading', { name: new RegExp(`agent ${one.id}$`) }).waitFor();
    expect(await page.getByRole('textbox', { name: /^Message to/ }).inputValue()).not.toContain(
      `agent ${two.id} alone`,
    );
    await context.close();
  });

  it('a second tab of the same browser is logged in too', async () => {
    const { page, context } = await openPage(browser, baton);
    const tab = await context.newPage();
    await tab.goto(`http://127.0.0.1:${baton.port}/#/personas`);
    await tab.getByRole('heading', { name: 'Personas', exact: true, level: 1 }).waitFor();
    await page.close();
    const stranger = await (await browser.newContext()).newPage();
    await stranger.goto(`http://127.0.0.1:${baton.port}/#/personas`);
    await stranger.getByText('baton open').waitFor();
    await stranger.context().close();
    await context.close();
  });

  it('if a request for the inbox fails, the page repeats the request', async () => {
    const { page, context } = await openPage(browser, baton);
    let failures = 0;
    await page.route('**/api/inbox', (route) => (++failures <= 3 ? route.abort() : route.continue()));
    const agent = await baton.agent({ persona: false });
    await baton.call('POST', `/api/agents/${agent.id}/messages`, { text: '[[practice:dialog Bash(make)]]' });
    await page.waitForFunction(() => document.title === '(1) Baton');
    expect(failures).toBeGreaterThan(3);
    await context.close();
  });

  it('if the address names no existing object or page, the page says so', async () => {
    const { page, context } = await openPage(browser, baton);
    for (const address of ['#/runs/abc', '#/runs/99999', '#/agents/0', '#/personas/nope-1', '#/nowhere']) {
      await page.evaluate((to) => {
        location.hash = to;
      }, address);
      await page
        .getByRole('main')
        .getByText(/no such page|not found|there is no/i)
        .first()
        .waitFor();
      expect(await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').count()).toBe(10);
    }
    await context.close();
  });

  it('the page shows an error if a part of its code cannot be loaded', async () => {
    const { page, context } = await openPage(browser, baton);
    await page.route('**/assets/settings-page-*.js', (route) => route.abort());
    await page.getByRole('link', { name: 'Settings' }).hover();
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('heading', { name: 'This page could not be shown' }).waitFor();
    await page.unroute('**/assets/settings-page-*.js');
    await page.getByRole('link', { name: 'Agents', exact: true }).click();
    await page.getByRole('heading', { name: 'Agents', exact: true, level: 1 }).waitFor();
    await context.close();
  });

  it('if the agent ends while the handoff dialog is open, the dialog keeps the typed note', async () => {
    const { page, context } = await openPage(browser, baton);
    const agent = await baton.agent();
    const card = page.getByRole('article', { name: new RegExp(`agent ${agent.id}$`) });
    await card.getByRole('button', { name: /^More actions for/ }).click();
    await page.getByRole('menuitem', { name: /end of shift/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/^Note/).fill('Half an hour of thought');
    await baton.call('POST', `/api/agents/${agent.id}/stop`, { force: true });
    await card.waitFor({ state: 'detached' });
    expect(await dialog.getByLabel(/^Note/).inputValue()).toBe('Half an hour of thought');
    await dialog.getByRole('button', { name: 'Start handoff' }).click();
    expect(await dialog.getByRole('alert').textContent()).toContain('Agent is not active');
    await context.close();
  });
});
