import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchChromium } from '../../../scripts/bench/chromium.mjs';
import { PackageProcess } from '../../e2e/packages/package-process.ts';
import { delegation } from '../../surfaces/http/packages/package-scene.ts';
import { goTo } from '../support/alive.ts';
import { findings, tooWide } from '../support/axe.ts';
import { openPage, type Watched } from '../support/browser.ts';

describe('the search on the page', () => {
  const scene = new PackageProcess();
  const { baton } = scene;
  let browser: Browser;
  let watched: Watched;
  let page: Page;
  beforeAll(async () => {
    await scene.begin();
    browser = await launchChromium();
    await scene.create(delegation({ context: { summary: 'Move the retry budget into the settings file' } }));
    await baton.call('POST', `/api/agents/${scene.con.id}/messages`, { text: 'Please mind the retry budget.' });
  }, 300_000);
  beforeEach(async () => {
    watched = await openPage(browser, baton);
    page = watched.page;
  });
  afterEach(async () => {
    const { troubles, context } = watched;
    await context.close();
    expect(troubles).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await baton.cleanUp();
  });

  const hits = () => page.getByRole('list', { name: 'Hits' });
  const filters = () => page.getByRole('search', { name: 'Search history' });

  it('the operator can search for words, narrow the hits by kind and follow a hit to its package', async () => {
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Search' }).click();
    await filters().getByRole('searchbox', { name: 'Words' }).fill('retry budget');
    await hits()
      .getByRole('link', { name: `Prompt to Con (agent ${scene.con.id})` })
      .waitFor();
    expect(await hits().getByRole('listitem').count()).toBe(2);
    expect(await hits().locator('mark').allTextContents()).toEqual(['retry', 'budget', 'retry', 'budget']);
    await filters().getByRole('combobox', { name: 'Kind' }).selectOption('Package');
    await expect.poll(() => hits().getByRole('listitem').count()).toBe(1);
    await hits()
      .getByRole('link', { name: /^Package HO-\d{4}-001 from / })
      .click();
    await page.getByRole('heading', { name: /HO-\d{4}-001/, level: 1 }).waitFor();
    // The address must contain the search, so that the browser's Back button shows the same hits again.
    await page.goBack();
    await hits().waitFor();
    expect(await filters().getByRole('searchbox', { name: 'Words' }).inputValue()).toBe('retry budget');
  });

  it('the command palette offers to search for the typed words', async () => {
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Go to' });
    await palette.getByRole('combobox').fill('retry');
    await palette.getByRole('option', { name: /Search for “retry”/ }).click();
    await expect.poll(() => hits().getByRole('listitem').count()).toBe(2);
  });

  it('the key "/" opens the page Search from a page without a search field', async () => {
    await goTo(page, '/usage');
    await page.keyboard.press('/');
    await page.getByRole('heading', { name: 'Search', level: 1 }).waitFor();
    await expect
      .poll(() =>
        filters()
          .getByRole('searchbox', { name: 'Words' })
          .evaluate((field) => field === document.activeElement),
      )
      .toBe(true);
  });

  it('the page Search reports a query without hits and a word that is too short', async () => {
    await goTo(page, '/search?q=xylophone');
    await page.getByRole('main').getByText('Nothing found').waitFor();
    await filters().getByRole('searchbox', { name: 'Words' }).fill('a*');
    await page.getByRole('main').getByText('is too short').waitFor();
  });

  it.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 390],
    ['dark', 390],
  ] as const)(
    'axe finds no problem on the page Search in the %s theme at a width of %i pixels',
    async (colorScheme, width) => {
      const { page: own, context } = await openPage(browser, baton, { colorScheme, viewport: { width, height: 844 } });
      await goTo(own, '/search?q=retry');
      await own.getByRole('list', { name: 'Hits' }).waitFor();
      expect(await findings(own)).toEqual([]);
      expect(await tooWide(own)).toBe(0);
      await context.close();
    },
  );
});
