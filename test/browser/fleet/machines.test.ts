import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../../../scripts/bench/chromium.mjs';
import { FleetProcesses, NATS_SERVER, seen } from '../../e2e/fleet/fleet-processes.ts';
import { BatonProcess } from '../../support/baton-process.ts';
import { needs } from '../../support/needs.ts';
import { findings, tooWide } from '../support/axe.ts';
import { openPage, type Watched } from '../support/browser.ts';
import { badButtonNames } from '../support/button-names.ts';

const navigation = (page: Page) => page.getByRole('navigation', { name: 'Pages' });

describe('the page of a Baton without a fleet', () => {
  const baton = new BatonProcess();
  let browser: Browser;
  beforeAll(async () => {
    await baton.start();
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await baton.cleanUp();
  });

  it('without a fleet, the page has no link to Machines and loads no code about machines', async () => {
    const { page, troubles } = await openPage(browser, baton);
    const files: string[] = [];
    page.on('request', (request) => files.push(new URL(request.url()).pathname));
    for (const name of ['Inbox', 'Handoffs', 'Packages', 'Agents']) {
      await navigation(page).getByRole('link', { name, exact: true }).click();
      await page.getByRole('main').getByRole('heading', { level: 1, name }).waitFor();
    }
    expect(await navigation(page).getByRole('link', { name: 'Machines' }).count()).toBe(0);
    expect(files.filter((file) => /(?:machine|fleet).*\.js$/.test(file))).toEqual([]);
    expect(troubles).toEqual([]);
  });
});

describe('the page Machines', needs(NATS_SERVER), () => {
  const fleet = new FleetProcesses();
  let hub: BatonProcess;
  let laptop: BatonProcess;
  let browser: Browser;
  let watched: Watched | undefined;
  beforeAll(async () => {
    hub = await fleet.found();
    laptop = await fleet.join('laptop');
    await laptop.agent();
    await seen(hub, 'laptop', ({ live, live_agents }) => live && live_agents === 1);
    browser = await launchChromium();
  });
  afterEach(async () => {
    await watched?.context.close();
    watched = undefined;
  });
  afterAll(async () => {
    await browser?.close();
    await fleet.cleanUp();
  });

  const open = async (options: Parameters<typeof openPage>[2] = {}): Promise<Page> => {
    watched = await openPage(browser, hub, options);
    await watched.page.goto(`http://127.0.0.1:${hub.port}/#/machines`);
    return watched.page;
  };
  const row = (page: Page, name: string) =>
    page.getByRole('table', { name: 'Machines' }).getByRole('row').filter({ hasText: name });

  it('on a machine of a fleet, the page Machines shows the state, agents and version of each machine', async () => {
    const page = await open();
    await navigation(page).getByRole('link', { name: 'Machines' }).waitFor();
    await row(page, 'laptop').getByText('Up', { exact: true }).waitFor();
    await row(page, 'laptop').getByRole('cell', { name: '1', exact: true }).waitFor();
    await row(page, 'this machine').getByText('hub', { exact: true }).first().waitFor();
    await page.getByRole('region', { name: 'Connection to the hub' }).getByText('Connected to the hub').waitFor();
    expect(watched?.troubles).toEqual([]);
  });

  it('the page Machines passes the accessibility check of axe in both themes and on a phone', async () => {
    for (const colorScheme of ['light', 'dark'] as const)
      for (const viewport of [
        { width: 1280, height: 800 },
        { width: 390, height: 844 },
      ]) {
        const page = await open({ colorScheme, viewport });
        await row(page, 'laptop').getByText('Up', { exact: true }).waitFor();
        expect(await findings(page)).toEqual([]);
        expect((await badButtonNames(page)).problems).toEqual([]);
        expect(await tooWide(page)).toBe(0);
        await watched?.context.close();
      }
  });

  it('a machine whose Baton was killed is shown as away, with the time of its last report', async () => {
    const page = await open();
    await laptop.kill();
    await row(page, 'laptop').getByText('Away', { exact: true }).waitFor();
    await row(page, 'laptop')
      .getByRole('cell', { name: /away since/ })
      .waitFor();
    await laptop.start();
    await row(page, 'laptop').getByText('Up', { exact: true }).waitFor();
  });

  it('when a machine leaves the fleet, the link to Machines disappears from the open page of this machine', async () => {
    const guest = await fleet.join('guest');
    watched = await openPage(browser, guest);
    const link = navigation(watched.page).getByRole('link', { name: 'Machines' });
    await link.waitFor();
    expect((await guest.call('POST', '/api/fleet/leave', {})).status).toBe(200);
    await link.waitFor({ state: 'detached' });
  });
});
