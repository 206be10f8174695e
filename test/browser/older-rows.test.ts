import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { growHistory } from '../../bench/history/grow-history.ts';
import { launchChromium } from '../../scripts/bench/chromium.mjs';
import { openSqliteStore } from '../../src/adapters/stores/sqlite/sqlite-store.ts';
import { BatonProcess } from '../support/baton-process.ts';
import { openPage } from './support/browser.ts';

describe('lists that are longer than one page', () => {
  const baton = new BatonProcess();
  let browser: Browser;
  let page: Page;
  let troubles: readonly string[];
  beforeAll(async () => {
    const store = openSqliteStore(join(baton.home, 'baton.db'), () => 'long-list');
    await growHistory(store, { agents: 130, lost: 0, runs: 120, events: 0, packages: 0 });
    store.close();
    await baton.start();
    browser = await launchChromium();
    ({ page, troubles } = await openPage(browser, baton));
  });
  afterAll(async () => {
    await browser?.close();
    await baton.cleanUp();
  });

  const rowsOf = (name: string) => page.getByRole('list', { name }).getByRole('listitem');
  const olderButton = (rows: string) => page.getByRole('button', { name: `Show older ${rows}` });

  it('the list of handoffs shows the newest handoffs first and loads older handoffs on request', async () => {
    await page.getByRole('link', { name: 'Handoffs', exact: true }).click();
    await expect.poll(() => rowsOf('Handoffs').count()).toBe(50);
    await olderButton('handoffs').click();
    await expect.poll(() => rowsOf('Handoffs').count()).toBe(100);
    await olderButton('handoffs').click();
    await expect.poll(() => rowsOf('Handoffs').count()).toBe(120);
    await expect.poll(() => olderButton('handoffs').count()).toBe(0);
    await page.getByRole('button', { name: 'Failed' }).click();
    await page.getByRole('main').getByText('No failed handoffs').waitFor();
    await page.getByRole('button', { name: 'Completed' }).click();
    await expect.poll(() => rowsOf('Handoffs').count()).toBe(50);
    expect(troubles).toEqual([]);
  });

  it('the page of a persona shows the newest handoffs first and loads older handoffs on request', async () => {
    await page.getByRole('link', { name: 'Personas', exact: true }).click();
    await page.getByRole('link', { name: 'Old', exact: true }).first().click();
    await page.getByRole('tab', { name: 'Handoffs' }).click();
    await expect.poll(() => rowsOf('Handoffs of this persona').count()).toBe(100);
    await olderButton('handoffs').click();
    await expect.poll(() => rowsOf('Handoffs of this persona').count()).toBe(120);
    await page.goto(page.url().replace(/\/personas\/([^/?#]+).*$/, '/personas/$1/lineage'));
    await olderButton('agents').click();
    await page.getByText('Agent 1', { exact: true }).first().waitFor();
    expect(troubles).toEqual([]);
  });
});
