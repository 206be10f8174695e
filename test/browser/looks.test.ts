import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../../scripts/bench/chromium.mjs';
import { PackageProcess } from '../e2e/packages/package-process.ts';
import { delegation, gatePackage } from '../surfaces/http/packages/package-scene.ts';
import { goTo } from './support/alive.ts';
import { openPage, type Watched } from './support/browser.ts';

/** Tests details of the page, for example on a narrow screen, while data loads, or in forced colors. */
describe('details of the page', () => {
  let scene: PackageProcess;
  let browser: Browser;
  let watched: Watched | undefined;
  beforeAll(async () => {
    scene = await new PackageProcess().begin();
    browser = await launchChromium();
  });
  afterEach(async () => {
    await watched?.context.close();
    watched = undefined;
  });
  afterAll(async () => {
    await browser?.close();
    await scene.baton.cleanUp();
  });

  const open = async (options: Parameters<typeof openPage>[2] = {}): Promise<Page> => {
    watched = await openPage(browser, scene.baton, options);
    return watched.page;
  };
  const card = (page: Page, id: number) => page.getByRole('article', { name: new RegExp(`agent ${id}$`) });
  const ask = (id: number) =>
    scene.baton.call('POST', `/api/agents/${id}/messages`, { text: '[[practice:dialog Bash(make)]]' });

  const fill = (id: number) =>
    scene.baton.call('POST', `/api/agents/${id}/messages`, { text: 'Work. [[practice:context 86]]' });

  it('a narrow screen shows the five navigation links completely', async () => {
    for (const width of [320, 360, 390]) {
      const page = await open({ viewport: { width, height: 640 } });
      const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
      expect(await links.count()).toBe(5);
      for (const link of await links.all()) {
        const { x = -1, width: its = 0 } = (await link.boundingBox()) ?? {};
        expect([await link.textContent(), x >= 0 && x + its <= width]).toEqual([await link.textContent(), true]);
      }
      await watched?.context.close();
    }
  });

  it('[D8] a card under the mouse pointer stays in place when another agent needs the operator', async () => {
    const { id } = await scene.baton.agent({ persona: false });
    const page = await open({ viewport: { width: 1280, height: 800 } });
    await page.getByRole('heading', { name: 'Nothing needs you.' }).waitFor();
    const other = card(page, scene.con.id);
    const place = () => other.evaluate((element) => element.getBoundingClientRect().top + scrollY);
    const before = await place();
    // Put the focus into a text field of one card, because the cards must not move while a text field has the focus.
    await other.getByRole('button', { name: /^Message/ }).click();
    await other.getByRole('textbox').focus();
    await ask(id);
    await card(page, id).getByText('Needs you').waitFor();
    expect(await place()).toBe(before);
    const needs = page.getByRole('list', { name: 'Needs you, worst first' });
    expect(await needs.count()).toBe(0);
    await other.getByRole('textbox').fill('half a message');
    await other.getByRole('textbox').blur();
    await page.mouse.move(0, 0);
    await needs.getByRole('article').waitFor();
    await card(page, id).getByRole('button', { name: /^2 No/ }).click();
    await page.mouse.move(0, 0);
    await page.getByRole('heading', { name: 'Nothing needs you.' }).waitFor();
    expect(await other.getByRole('textbox').inputValue()).toBe('half a message');
    await watched?.context.close();
  });

  it('the start dialog focuses its first field', async () => {
    const page = await open();
    await page.route('**/api/runtimes', async (route) => {
      await page.getByRole('dialog').getByText('Loading').waitFor();
      await route.continue();
    });
    await page.getByRole('main').getByRole('button', { name: 'Start agent', exact: true }).click();
    const project = page.getByRole('dialog').getByLabel('Project');
    await project.waitFor();
    expect(await project.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it.each([1280, 1440])('the page shows all columns of the terminal in a window of %i px', async (width) => {
    const page = await open({ viewport: { width, height: 900 } });
    await goTo(page, `/agents/${scene.con.id}`);
    const terminal = page.getByRole('group', { name: /^Terminal of/ });
    await terminal.waitFor();
    expect(await terminal.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0);
    const below = (await page.getByRole('meter').boundingBox())?.y ?? Number.POSITIVE_INFINITY;
    expect(below).toBeLessThan((await terminal.boundingBox())?.y ?? 0);
  });

  it('a narrow window wraps the lines of the terminal until the operator asks for the original layout', async () => {
    const page = await open({ viewport: { width: 1024, height: 768 } });
    await goTo(page, `/agents/${scene.con.id}`);
    const terminal = page.getByRole('group', { name: /^Terminal of/ });
    const hidden = () => terminal.evaluate((element) => element.scrollWidth - element.clientWidth);
    await terminal.waitFor();
    expect(await hidden()).toBeLessThanOrEqual(0);
    await page.getByRole('button', { name: /^Show original layout: terminal of Con/ }).click();
    expect(await hidden()).toBeGreaterThan(0);
    await page.getByRole('button', { name: /^Wrap long lines: terminal of Con/ }).click();
    expect(await hidden()).toBeLessThanOrEqual(0);
  });

  it('if the clock of the browser is slow, the page still shows no time in the future', async () => {
    const page = await open();
    await page.clock.setFixedTime(Date.now() - 3_600_000);
    await goTo(page, '/runs');
    await goTo(page, '/');
    await card(page, scene.con.id).getByText('Active just now').waitFor();
  });

  it('the page shows "Lint: no findings" only after the report has loaded', async () => {
    const { id } = (await scene.call(scene.con, 'POST', '', { package: delegation(), seal: false })).body;
    const page = await open();
    let look: () => void = () => undefined;
    const looked = new Promise<void>((resolve) => {
      look = resolve;
    });
    await page.route(`**/api/packages/${id}/report`, async (route) => {
      await looked;
      await route.continue();
    });
    await goTo(page, `/packages/${id}`);
    await page.getByRole('heading', { level: 1, name: id }).waitFor();
    expect(await page.getByText(/^Lint:/).count()).toBe(0);
    look();
    await page.getByText(/^Lint:/).waitFor();
  });

  it('if the browser refuses to copy a text, the page says so', async () => {
    const page = await open();
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('no'));
    });
    await card(page, scene.con.id)
      .getByRole('button', { name: /^More actions for/ })
      .click();
    await page.getByRole('menuitem', { name: 'Copy attach command' }).click();
    await page.getByRole('alert').getByText('blocked copying').waitFor();
  });

  it('the context meter is visible in a browser with forced colors', async () => {
    const page = await open({ forcedColors: 'active' });
    const meter = card(page, scene.con.id).getByRole('meter');
    const drawn = await meter.evaluate((element) => [
      getComputedStyle(element.firstElementChild as Element).backgroundColor,
      getComputedStyle(document.body).backgroundColor,
      getComputedStyle(element).borderTopWidth,
    ]);
    expect(drawn[0]).not.toBe(drawn[1]);
    expect(drawn[2]).toBe('1px');
  });

  it('a run that waits for approval shows a link to the document', async () => {
    const agent = await scene.baton.agent();
    const wish = { reason: 'shift_end', review: true };
    const { run_id } = (await scene.baton.call<{ run_id: number }>('POST', `/api/agents/${agent.id}/handoff`, wish))
      .body;
    const page = await open();
    const strip = card(page, agent.id).getByRole('region', { name: `Handoff ${run_id}` });
    await strip.getByRole('button', { name: 'Approve' }).waitFor();
    expect(await strip.locator('.animate-spin').count()).toBe(0);
    await goTo(page, '/inbox');
    await page.getByRole('link', { name: 'Read document' }).click();
    await page.getByRole('button', { name: 'Approve document' }).waitFor();
  });

  it('the page does not suggest a handoff for an ended agent', async () => {
    const agent = await scene.baton.agent();
    const page = await open();
    await fill(agent.id);
    const its = card(page, agent.id);
    await its.getByText('time to hand over').waitFor();
    await scene.baton.call('POST', `/api/agents/${agent.id}/stop`, { force: true });
    await its.waitFor({ state: 'detached' });
    await goTo(page, `/agents/${agent.id}`);
    await page.getByText('This agent has ended.').waitFor();
    expect(await page.getByText('time to hand over').count()).toBe(0);
  });

  it('an idle agent whose gate waits for a decision shows the gate on its card and on its page', async () => {
    const { id } = (await scene.create(gatePackage(), scene.con)).body;
    const page = await open();
    const badge = card(page, scene.con.id).getByText('Needs you', { exact: true });
    await badge.waitFor();
    await card(page, scene.con.id).getByText(`waits for your decision (${id})`).waitFor();
    await card(page, scene.con.id)
      .getByRole('link', { name: `Open ${id}` })
      // If the cards move between pressing and releasing the mouse button, the click gets lost.
      .press('Enter');
    await page.getByRole('heading', { level: 1, name: id }).waitFor();
    await goTo(page, `/agents/${scene.con.id}`);
    await page
      .getByRole('main')
      .getByRole('link', { name: `Open ${id}` })
      .waitFor();
    await scene.call('operator', 'POST', `/${id}/cancel`, {});
    await page.getByRole('link', { name: `Open ${id}` }).waitFor({ state: 'detached' });
  });

  it('pending decisions are listed before suggested handoffs', async () => {
    await fill(scene.ann.id);
    await scene.baton.event(({ type, agent_id }) => type === 'inbox_opened' && agent_id === scene.ann.id);
    const ids: string[] = [];
    for (let n = 0; n < 6; n++) ids.push((await scene.create(gatePackage(), scene.con)).body.id);
    const page = await open();
    await goTo(page, '/inbox');
    const items = page.getByRole('list', { name: 'Items that need you' }).locator('> li');
    await items.filter({ hasText: ids.at(-1) ?? '' }).waitFor();
    const kinds = await items.locator('div > span:first-child').allTextContents();
    expect(kinds).toContain('Handoff suggested');
    expect(kinds.indexOf('Handoff suggested')).toBeGreaterThan(kinds.lastIndexOf('Decision'));
    expect(await page.getByRole('region', { name: /^Decide/ }).count()).toBe(0);
    await page.getByRole('button', { name: `Read and decide: ${ids[3]}` }).click();
    await page.getByRole('region', { name: `Decide ${ids[3]}` }).waitFor();
    expect(await page.getByRole('region', { name: /^Decide/ }).count()).toBe(1);
    await goTo(page, '/packages');
    await page
      .getByText(/(min|s) left$/)
      .first()
      .waitFor();
  });
});
