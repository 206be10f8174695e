import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../../../scripts/bench/chromium.mjs';
import type { PackageDetail } from '../../../src/contract/packages/package-resources.ts';
import type { Run } from '../../../src/contract/resources.ts';
import { FAST, FleetProcesses, NATS_SERVER, seen } from '../../e2e/fleet/fleet-processes.ts';
import { PackageProcess } from '../../e2e/packages/package-process.ts';
import type { BatonProcess } from '../../support/baton-process.ts';
import { needs } from '../../support/needs.ts';
import { gatePackage } from '../../surfaces/http/packages/package-scene.ts';
import { findings, tooWide } from '../support/axe.ts';
import { openPage, type Watched } from '../support/browser.ts';
import { badButtonNames } from '../support/button-names.ts';

describe('agents of another machine on the page', needs(NATS_SERVER), () => {
  const fleet = new FleetProcesses();
  const laptop = new PackageProcess(FAST);
  let hub: BatonProcess;
  let browser: Browser;
  let watched: Watched | undefined;
  let gate: PackageDetail;
  beforeAll(async () => {
    hub = await fleet.found();
    await laptop.begin();
    await fleet.admit('laptop', laptop.baton);
    gate = (await laptop.create(gatePackage())).body;
    await seen(hub, 'laptop', ({ live, live_agents, needs: items }) => live && live_agents === 2 && items > 0);
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

  const open = async (path: string, options: Parameters<typeof openPage>[2] = {}): Promise<Page> => {
    watched = await openPage(browser, hub, options);
    await watched.page.goto(`http://127.0.0.1:${hub.port}/#${path}`);
    return watched.page;
  };
  const card = (page: Page, name = 'Con') =>
    page
      .getByRole('region', { name: 'laptop' })
      .getByRole('article', { name: new RegExp(`^${name} on laptop, agent`) });
  const item = (page: Page) =>
    page.getByRole('list', { name: 'Items that need you' }).getByRole('listitem').filter({ hasText: gate.id });

  it('the pages about another machine pass the accessibility check of axe in both themes and on a phone', async () => {
    const pages = [
      ['/', 'Agents'],
      ['/inbox', 'Inbox'],
      ['/machines/laptop', 'laptop'],
      ['/runs?machine=laptop', 'Handoffs'],
      ['/packages?machine=laptop', 'Packages'],
      [`/packages/${gate.id}?machine=laptop`, gate.id],
      [`/agents/${laptop.con.id}?machine=laptop`, 'Con on laptop'],
    ] as const;
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [1280, 390])
        for (const [path, name] of pages) {
          const page = await open(path, { colorScheme, viewport: { width, height: 800 } });
          await page.getByRole('main').getByRole('heading', { level: 1, name }).waitFor();
          await page.getByRole('main').getByText(/as of/).first().waitFor();
          expect([path, await findings(page)]).toEqual([path, []]);
          expect([path, (await badButtonNames(page)).problems]).toEqual([path, []]);
          expect([path, await tooWide(page)]).toEqual([path, 0]);
          await watched?.context.close();
        }
  });

  it("from an agent's card, the operator can send a message to an agent of another machine", async () => {
    const page = await open('/');
    await card(page, 'Ann').getByText('Idle', { exact: true }).waitFor();
    await card(page, 'Ann')
      .getByRole('button', { name: /^Message Ann on laptop/ })
      .click();
    await card(page, 'Ann').getByRole('textbox').fill('Do the next step. [[practice:context 86]]');
    await card(page, 'Ann')
      .getByRole('button', { name: /^Send message to Ann on laptop/ })
      .click();
    await card(page, 'Ann').getByText('Accepted.').waitFor();
    await card(page, 'Ann')
      .getByRole('button', { name: /^Handoff: Ann on laptop/ })
      .waitFor();
    expect(watched?.troubles).toEqual([]);
  });

  it('the machine filter shows only the agents and the inbox items of one machine', async () => {
    const own = await hub.agent();
    const page = await open('/');
    const cards = page.getByRole('main').getByRole('article');
    await cards
      .filter({ hasText: `agent ${own.id}` })
      .filter({ hasNotText: 'on laptop' })
      .waitFor();
    await page.getByRole('combobox', { name: 'Machine' }).selectOption('laptop');
    await card(page).waitFor();
    await expect.poll(() => cards.filter({ hasNotText: 'on laptop' }).count()).toBe(0);
    expect(page.url()).toContain('machine=laptop');
    await page.goto(`http://127.0.0.1:${hub.port}/#/inbox?machine=laptop`);
    await item(page).waitFor();
  });

  it('the lists of packages and handoffs show the objects of this machine until the operator chooses another machine', async () => {
    const page = await open('/packages');
    const main = page.getByRole('main');
    await main.getByText('No packages yet', { exact: true }).waitFor();
    await main.getByRole('combobox', { name: 'Machine' }).selectOption('laptop');
    await main.getByRole('list', { name: 'Packages' }).getByText(gate.id).waitFor();
    await main.getByText(/^Last report as of/).waitFor();
    await page.goto(`http://127.0.0.1:${hub.port}/#/runs`);
    await main.getByText('No handoffs yet', { exact: true }).waitFor();
    await main.getByRole('combobox', { name: 'Machine' }).selectOption('laptop');
    await main.getByText('No handoffs yet.', { exact: true }).waitFor();
    await main.getByText(/^Last report as of/).waitFor();
    await page.goto(`http://127.0.0.1:${hub.port}/#/activity`);
    await main.getByText(/^These are the events of this machine only/).waitFor();
    expect(watched?.troubles).toEqual([]);
  });

  it('in the inbox, the operator can decide a gate of another machine', async () => {
    const page = await open('/inbox');
    await item(page)
      .getByText(/^laptop, as of/)
      .waitFor();
    await item(page)
      .getByRole('button', { name: `Read and decide: ${gate.id} on laptop` })
      .click();
    const form = item(page).getByRole('region', { name: /^Decide/ });
    await form.getByLabel('Approve').check();
    for (const box of await form.getByRole('checkbox').all()) await box.check();
    await form.getByRole('button', { name: /^Approve package: HO-/ }).click();
    await expect
      .poll(async () => (await laptop.call<PackageDetail>('operator', 'GET', `/${gate.id}`)).body.state)
      .toBe('completed');
    const asked = await laptop.baton.event(
      ({ type, data }) => type === 'command_answered' && String(data.route).endsWith('/decide'),
    );
    expect(asked.data.from).toBe('hub');
    expect(asked.data.route).toBe(`/api/packages/${gate.id}/decide`);
    const { decision } = (await laptop.call<PackageDetail>('operator', 'GET', `/${gate.id}`)).body;
    expect(decision).toMatchObject({ by: 'operator on hub', channel: 'page' });
    await item(page).waitFor({ state: 'detached' });
    expect(watched?.troubles).toEqual([]);
  });

  it('if another machine refuses a request, the page shows the words of that machine', async () => {
    const page = await open(`/packages/${gate.id}?machine=laptop`);
    await page.getByRole('main').getByRole('heading', { level: 1, name: gate.id }).waitFor();
    await page.goto(`http://127.0.0.1:${hub.port}/#/packages/HO-1999-001?machine=laptop`);
    const { body } = await laptop.baton.call<{ error: string }>('GET', '/api/packages/HO-1999-001');
    await page.getByRole('main').getByRole('alert').filter({ hasText: body.error }).waitFor();
  });

  it('the screen of an agent on another machine is fetched only when the operator asks for it', async () => {
    const page = await open(`/agents/${laptop.con.id}?machine=laptop`);
    await page.getByRole('main').getByText('The screen is fetched when you ask for it.').waitFor();
    await page.getByRole('button', { name: /^Show screen: Con on laptop/ }).click();
    await page.getByRole('group', { name: /^Terminal of Con on laptop/ }).waitFor();
    await page
      .getByRole('main')
      .getByText(/^Not live: the screen as of/)
      .waitFor();
  });

  it('on the page of this machine, the operator can hand off an agent of another machine and read its handoff document', async () => {
    const page = await open('/');
    await card(page, 'Ann')
      .getByRole('button', { name: /^Handoff: Ann on laptop/ })
      .click();
    await card(page, 'Ann')
      .getByRole('region', { name: /^Handoff \d/ })
      .first()
      .waitFor();
    await expect
      .poll(async () => (await laptop.baton.get<{ runs: Run[] }>('/api/runs')).runs.map(({ step }) => step), {
        timeout: 120_000,
      })
      .toEqual(['completed']);
    const [run] = (await laptop.baton.get<{ runs: Run[] }>('/api/runs')).runs;
    await page.goto(`http://127.0.0.1:${hub.port}/#/runs/${run?.id}?machine=laptop`);
    await page.getByRole('main').getByRole('region', { name: 'Document' }).getByRole('heading').nth(1).waitFor();
    expect(watched?.troubles).toEqual([]);
  });

  it('the page of another machine calls no list empty before the machine has sent it', async () => {
    const page = await open('/machines/laptop');
    await page
      .getByRole('article', { name: /^Con on laptop, agent/ })
      .first()
      .waitFor();
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/api\/machines\/laptop\//, async (route) => {
      await released;
      await route.fulfill({ status: 409, json: { error: 'laptop sent no list', code: 'machine_away' } });
    });
    await page.reload();
    const empty = page.getByText(/^(Nothing needs you there|No agent runs there|No handoffs yet|No open packages)\.$/);
    const part = (name: string) => page.getByRole('main').getByRole('region', { name });
    const parts = ['Needs you', 'Agents', 'Handoffs', 'Open packages'];
    for (const name of parts) await part(name).getByRole('status').filter({ hasText: 'Loading' }).waitFor();
    expect(await empty.count()).toBe(0);
    release();
    for (const name of parts) await part(name).getByRole('alert').filter({ hasText: 'sent no list' }).waitFor();
    expect(await empty.count()).toBe(0);
  });

  it('if a machine no longer reports, the page shows the last state of its agents and how old that state is', async () => {
    const page = await open('/?machine=laptop');
    await card(page, 'Con').getByText('Idle', { exact: true }).waitFor();
    await laptop.baton.kill();
    await card(page, 'Con')
      .getByText(/^Idle as of/)
      .waitFor();
    await page.getByRole('region', { name: 'laptop' }).getByText('Away', { exact: true }).waitFor();
    expect(await card(page, 'Con').getByText('Idle', { exact: true }).count()).toBe(0);
    await page.goto(`http://127.0.0.1:${hub.port}/#/agents/${laptop.con.id}?machine=laptop`);
    await page
      .getByRole('main')
      .getByText(/^Last known state as of/)
      .waitFor();
    await page.getByRole('button', { name: /^Show screen: Con on laptop/ }).click();
    await page.getByRole('main').getByRole('alert').filter({ hasText: 'laptop is away' }).first().waitFor();
  });
});
