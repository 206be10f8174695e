import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../../../scripts/bench/chromium.mjs';
import { BatonProcess } from '../../support/baton-process.ts';
import { goTo } from '../support/alive.ts';
import { openPage, type Watched } from '../support/browser.ts';

const WIDE = { width: 1920, height: 1080 };
const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
/** A window of 1440 × 900 at a zoom of 200 %. */
const ZOOMED = { width: 720, height: 450 };

describe('the layout of the page', () => {
  const baton = new BatonProcess();
  let browser: Browser;
  let watched: Watched | undefined;
  let asking: number;
  beforeAll(async () => {
    await baton.start();
    browser = await launchChromium();
    for (let count = 0; count < 6; count++) await baton.agent({ persona: false });
    asking = (await baton.agent({ persona: false })).id;
    await baton.call('POST', `/api/agents/${asking}/messages`, { text: '[[practice:dialog Bash(npm publish)]]' });
    await baton.event(({ type, agent_id }) => type === 'inbox_opened' && agent_id === asking);
    const { id } = await baton.agent({ behaviour: { handoff: 'ignore' } });
    const { run_id } = (await baton.call<{ run_id: number }>('POST', `/api/agents/${id}/handoff`, {})).body;
    await baton.over(run_id);
  });
  afterEach(async () => {
    const troubles = watched?.troubles;
    await watched?.context.close();
    watched = undefined;
    expect(troubles ?? []).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await baton.cleanUp();
  });

  const open = async (viewport: { readonly width: number; readonly height: number }): Promise<Page> => {
    watched = await openPage(browser, baton, { viewport });
    return watched.page;
  };
  const boxes = (page: Page, selector: string) =>
    page.locator(selector).evaluateAll((elements) =>
      elements.map((element) => {
        const { left, right, top, bottom } = element.getBoundingClientRect();
        return { left: Math.round(left), right: Math.round(right), top: Math.round(top), bottom: Math.round(bottom) };
      }),
    );

  it('cards are stacked in columns, and a card is only as high as its content', async () => {
    const page = await open(DESKTOP);
    // Make one card higher than the other cards of its row.
    await page
      .locator('[aria-label="Filter agents"] ~ * article')
      .first()
      .getByRole('button', { name: /^Message/ })
      .click();
    await page.getByRole('textbox', { name: /^Message/ }).waitFor();
    const tiles = '[aria-label="Filter agents"] ~ * li > div';
    const gaps = async () => {
      const all = await boxes(page, tiles);
      return [...new Set(all.map(({ left }) => left))].flatMap((left) => {
        const column = all.filter((box) => box.left === left);
        return column.slice(1).map(({ top }, index) => top - (column[index]?.bottom ?? 0));
      });
    };
    await expect.poll(async () => (await gaps()).every((gap) => gap >= 16 && gap < 24)).toBe(true);
    const shape = await boxes(page, tiles);
    expect(new Set(shape.map(({ left }) => left)).size).toBe(3);
    expect(new Set(shape.map(({ top, bottom }) => bottom - top)).size).toBeGreaterThan(1);
    // The first three cards must be in reading order, from left to right.
    const [one = 0, two = 0, three = 0] = shape.map(({ left }) => left);
    expect([one < two, two < three]).toEqual([true, true]);
  });

  it('the pages Agents, Inbox and Settings use the whole width of a window of 1920 px', async () => {
    const page = await open(WIDE);
    for (const [path, selector, heading] of [
      ['/', 'article', 'Agents'],
      ['/inbox', 'main ul[aria-label="Items that need you"]', 'Inbox'],
      ['/settings', 'main section', 'Settings'],
    ] as const) {
      await goTo(page, path);
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      await page.locator(selector).nth(0).waitFor();
      await page.locator('main [data-loading]').first().waitFor({ state: 'detached' });
      const found = await boxes(page, selector);
      expect([path, Math.max(...found.map(({ right }) => right)) > 1500]).toEqual([path, true]);
      expect([path, Math.min(...found.map(({ left }) => left)) < 300]).toEqual([path, true]);
    }
  });

  it('the list of agents fits the width of a phone', async () => {
    const page = await open(PHONE);
    const view = page.getByRole('button', { name: 'List', exact: true });
    expect(await view.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Filter and sort' }).click();
    await view.click();
    const table = page.getByRole('table', { name: 'Agents' });
    await table.waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);
    expect(
      await table.evaluate((element) => element.parentElement?.scrollWidth === element.parentElement?.clientWidth),
    ).toBe(true);
    await goTo(page, '/?tab=ended');
    await page.getByText('No ended agents yet').waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);
  });

  it.each([1280, 1440])(
    'the filters of the agents are in one row in a window of %i px, none cut off',
    async (width) => {
      const page = await open({ ...DESKTOP, width });
      const row = page.getByRole('search', { name: 'Filter agents' });
      await row.waitFor();
      await row.getByLabel('State').selectOption('idle');
      await row.getByRole('button', { name: 'Clear filters' }).waitFor();
      const { height = 0 } = (await row.boundingBox()) ?? {};
      expect(height).toBeLessThan(60);
      for (const label of ['Sort agents', 'Group agents']) {
        const missing = await row.getByLabel(label).evaluate((select) => {
          const cut = select.getBoundingClientRect().width;
          (select as HTMLElement).style.maxWidth = 'none';
          return select.getBoundingClientRect().width - cut;
        });
        expect([label, missing]).toEqual([label, 0]);
      }
    },
  );

  it.each([DESKTOP, PHONE])('the navigation marks Agents on each page that belongs to it (%j)', async (viewport) => {
    const page = await open(viewport);
    const marked = page.getByRole('navigation', { name: 'Pages' }).locator('[aria-current=page]');
    for (const path of ['/', '/?tab=ended', `/agents/${asking}`, '/agents/999']) {
      await goTo(page, path);
      await expect.poll(() => marked.allTextContents()).toEqual([expect.stringMatching(/^Agents/)]);
    }
    await goTo(page, '/personas');
    const name = viewport === PHONE ? 'More' : 'Personas';
    await expect.poll(() => marked.filter({ visible: true }).allTextContents()).toEqual([name]);
  });

  it('on a phone, the menu of an agent and the button that sends a message are above the tab bar', async () => {
    const page = await open(PHONE);
    const top = (await boxes(page, 'nav[aria-label="Pages"]'))[0]?.top ?? 0;
    const bottomOf = async (button: Locator) => {
      const { y = 0, height = top } = (await button.boundingBox()) ?? {};
      return y + height;
    };
    for (const agent of await page.getByRole('article').all()) {
      await agent.getByRole('button', { name: /^More actions/ }).click();
      await page.getByRole('menu').waitFor();
      expect(await bottomOf(page.getByRole('menu'))).toBeLessThan(top);
      // Press the End key, which scrolls to the last item.
      await page.keyboard.press('End');
      await page.locator('[role=menuitem]:focus', { hasText: 'Kill' }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('menu').waitFor({ state: 'detached' });
    }
    const last = page
      .getByRole('article')
      .filter({ has: page.getByRole('button', { name: /^Message/ }) })
      .nth(2);
    const message = last.getByRole('button', { name: /^Message/ });
    // Scroll the button that opens the form to the lower edge of the part of the page that is not covered.
    await message.evaluate((element, edge) => scrollBy(0, element.getBoundingClientRect().bottom - edge + 8), top);
    await message.click();
    const send = last.getByRole('button', { name: /^Send message/ });
    await send.waitFor();
    await expect.poll(() => bottomOf(send)).toBeLessThan(top);
  });

  it.each([DESKTOP, PHONE])(
    'an error in a long dialog is visible above the buttons that cover the end of the dialog (%j)',
    async (viewport) => {
      const page = await open(viewport);
      await page.getByRole('main').getByRole('button', { name: 'Start agent', exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Project').selectOption({ label: 'Another folder…' });
      await dialog.getByLabel('Folder', { exact: true }).fill('/no/such/folder');
      const submit = dialog.getByRole('button', { name: 'Start agent' });
      await submit.click();
      const error = dialog.getByRole('alert').filter({ hasText: 'does not exist' });
      await error.waitFor();
      const { y = 0, height = 0 } = (await error.boundingBox()) ?? {};
      expect(y + height).toBeLessThanOrEqual((await submit.boundingBox())?.y ?? 0);
    },
  );

  it("at a zoom of 200 %, the header and the tab bar take less than a quarter of the window's height", async () => {
    const page = await open(ZOOMED);
    const [tabs] = await boxes(page, 'nav[aria-label="Pages"]');
    const [header] = await boxes(page, 'header img');
    expect((header?.bottom ?? 0) + (ZOOMED.height - (tabs?.top ?? 0))).toBeLessThan(ZOOMED.height / 4);
  });

  it('the tooltip of a shortened path in an inbox item shows the whole path', async () => {
    const page = await open(PHONE);
    await goTo(page, '/inbox');
    const sentence = page.locator('main p').filter({ hasText: 'the document does not exist' });
    await sentence.waitFor();
    expect(await sentence.textContent()).toMatch(/exist: …\/[^\s/]+\.md\./);
    expect(await sentence.locator('code').getAttribute('title')).toMatch(/^(\/[^/]+){4,}\.md$/);
  });

  it.each([
    [() => `/agents/${asking}`, 'Agents'],
    [() => '/agents/999', 'Agents'],
    [() => '/runs/999', 'Handoffs'],
    [() => '/packages/HO-2026-999', 'Packages'],
    [() => '/personas/developer-none-9', 'Personas'],
  ])('each detail page has a link back to its list (%#)', async (path, list) => {
    const page = await open(PHONE);
    await goTo(page, path());
    const link = page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: list });
    expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    await link.click();
    await page.getByRole('heading', { name: list, level: 1, exact: true }).waitFor();
  });

  it('[U13] an event on the activity page names its agent once, as a link', async () => {
    const page = await open(DESKTOP);
    await goTo(page, '/activity');
    const rows = page.getByRole('list', { name: 'Events, newest first' });
    const row = rows
      .getByRole('listitem')
      .filter({ hasText: `Agent ${asking}` })
      .first();
    await row.waitFor();
    expect((await row.textContent())?.match(/agent \d+/gi)).toHaveLength(1);
    await rows.getByText(String(new Date().getFullYear())).first().waitFor();
    await row.getByRole('link').click();
    await page.getByRole('heading', { name: new RegExp(`agent ${asking}$`), level: 1 }).waitFor();
  });
});
