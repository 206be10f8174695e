import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../../../scripts/bench/chromium.mjs';
import type { Agent, Device, Run } from '../../../src/contract/resources.ts';
import { actionLabel } from '../../../src/surfaces/page/handoffs/choose-offers.ts';
import { BatonProcess } from '../../support/baton-process.ts';
import { goTo } from '../support/alive.ts';
import { seriousFindings, tooWide } from '../support/axe.ts';
import { live, openPage, toast } from '../support/browser.ts';

const PHONE = { width: 390, height: 844 };

/** Tests the page on a phone: a failed handoff at night, an agent's question, and a phone that stays signed in. */
describe('the page on a phone', () => {
  const baton = new BatonProcess();
  let browser: Browser;
  let asking: Agent;
  let failed: Agent;
  let runId: number;
  beforeAll(async () => {
    await baton.start();
    browser = await launchChromium();
    asking = await baton.agent({ persona: false });
    const text = '[[practice:dialog Bash(rm -rf build && npm publish)]]';
    await baton.call('POST', `/api/agents/${asking.id}/messages`, { text });
    await baton.event(({ type, agent_id }) => type === 'operator_notified' && agent_id === asking.id);
    failed = await baton.agent({ behaviour: { handoff: 'ignore' } });
    runId = (await baton.call<{ run_id: number }>('POST', `/api/agents/${failed.id}/handoff`, {})).body.run_id;
    await baton.over(runId);
  });
  afterAll(async () => {
    await browser?.close();
    await baton.cleanUp();
  });

  const openPhone = (options: object = {}) =>
    openPage(browser, baton, { viewport: PHONE, hasTouch: true, isMobile: true, ...options });
  const bottomOf = async (page: Page, name: RegExp): Promise<number> => {
    const box = await page.getByRole('button', { name }).first().boundingBox();
    return box === null ? Number.POSITIVE_INFINITY : box.y + box.height;
  };
  const tabBarTop = async (page: Page): Promise<number> =>
    (await page.getByRole('navigation', { name: 'Pages' }).boundingBox())?.y ?? 0;

  it('[D10] a phone stays signed in until the operator revokes the device', async () => {
    const { page, context } = await openPhone({
      userAgent:
        'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Safari/604.1',
    });
    const origin = new URL(page.url()).origin;
    await page.close();
    const again = await context.newPage();
    await again.goto(`${origin}/#/settings`);
    await live(again).waitFor();
    const list = again.getByRole('region', { name: 'Signed-in devices' });
    await list.getByText('Safari on iPhone (this device)').waitFor();
    const { devices } = await baton.get<{ devices: Device[] }>('/api/devices');
    const mine = devices.find(({ name }) => name === 'Safari on iPhone');
    await baton.call('POST', '/api/logout', { device: mine?.id });
    await again.getByText('You are signed out.').waitFor();
    await again.reload();
    await again.getByText('Sign in:').waitFor();
    await context.close();
  });

  it('[D11] opening the link in a notification does not sign a browser in', async () => {
    const context = await browser.newContext({ viewport: PHONE });
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${baton.port}/#/runs/${runId}`);
    await page.getByText('Sign in:').waitFor();
    expect(await page.getByText(`Handoff ${runId}`).count()).toBe(0);
    await context.close();
  });

  it('[D12] all buttons of a failed handoff are visible above the tab bar', async () => {
    const { page, context, troubles } = await openPhone();
    await goTo(page, `/runs/${runId}`);
    const alert = page.getByRole('alert').filter({ hasText: 'document does not exist' });
    await alert.waitFor();
    const run = await baton.get<Run>(`/api/runs/${runId}`);
    const buttons = page.getByRole('group', { name: `Actions for handoff ${runId}` }).getByRole('button');
    expect(await buttons.allTextContents()).toEqual(run.actions.map(({ action }) => actionLabel(action, run)));
    const last = await buttons.last().boundingBox();
    expect((last?.y ?? Number.POSITIVE_INFINITY) + (last?.height ?? 0)).toBeLessThan(await tabBarTop(page));
    const said = await alert.textContent();
    expect(said).not.toMatch(/baton \w/);
    expect(said).toMatch(/…\/\S+\.md/);
    expect(troubles).toEqual([]);
    await context.close();
  });

  it("an agent's question and its answers are visible above the tab bar", async () => {
    const { page, context } = await openPhone();
    await goTo(page, `/agents/${asking.id}`);
    await page.getByRole('region', { name: /^Question from/ }).waitFor();
    const terminal = page.getByRole('group', { name: /^Terminal of/ });
    await terminal.waitFor();
    const bottom = await bottomOf(page, /Yes/);
    expect(bottom).toBeLessThan(await tabBarTop(page));
    expect(bottom).toBeLessThan((await terminal.boundingBox())?.y ?? 0);
    await context.close();
  });

  it('the page has five tabs on a phone', async () => {
    const { page, context } = await openPhone();
    const tabs = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
    expect((await tabs.allTextContents()).map((text) => text.replace(/\d.*/, ''))).toEqual([
      ...['Agents', 'Inbox', 'Handoffs', 'Packages', 'More'],
    ]);
    await tabs.last().click();
    for (const name of ['Personas', 'Worktrees', 'Activity', 'Settings'])
      await page.locator('main').getByRole('link', { name }).waitFor();
    await context.close();
  });

  it('no button or tab on a phone is smaller than 44 px', async () => {
    const { page, context } = await openPhone();
    for (const [path, heading] of [
      ['/', 'Agents'],
      [`/runs/${runId}`, `Handoff ${runId}`],
      [`/agents/${asking.id}`, asking.label],
      ['/more', 'More'],
      ['/settings', 'Settings'],
      ['/packages', 'Packages'],
      ['/activity', 'Activity'],
      [`/personas/${failed.persona?.slug}`, failed.label],
    ] as const) {
      await goTo(page, path);
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      await page.locator('main [data-loading]').first().waitFor({ state: 'detached' });
      const small = await page.evaluate(() => {
        const targets = 'button, nav a, summary, input:not([type=radio]), select, label:has(input[type=radio])';
        return [...document.querySelectorAll<HTMLElement>(targets)]
          .filter((element) => element.checkVisibility() && !element.matches('.sr-only'))
          .map((element) => ({ name: element.textContent || element.ariaLabel, box: element.getBoundingClientRect() }))
          .filter(({ box }) => box.height < 44 || box.width < 44)
          .map(({ name, box }) => `${name}: ${Math.round(box.width)}x${Math.round(box.height)}`);
      });
      expect([path, small]).toEqual([path, []]);
    }
    await context.close();
  });

  it('the titles of tabs do not overlap on a phone, and the title of the open tab is visible', async () => {
    const { page, context } = await openPhone();
    await goTo(page, `/personas/${failed.persona?.slug}`);
    const row = page.getByRole('tablist');
    const tabs = row.getByRole('tab');
    await tabs.first().waitFor();
    const cutOff = () =>
      tabs.evaluateAll((all) => all.filter((tab) => tab.scrollWidth > tab.clientWidth).map((tab) => tab.textContent));
    for (const name of ['Agent types', 'Open points', 'Skill']) {
      const tab = row.getByRole('tab', { name });
      // Choose the tab by focus, as with the keyboard. With a click, Playwright itself would scroll the row, and the
      // test would not show that the page scrolls it.
      await tab.evaluate((element) => element.focus({ preventScroll: true }));
      await expect
        .poll(async () => {
          const [box, frame] = [await tab.boundingBox(), await row.boundingBox()];
          return box !== null && frame !== null && box.x >= frame.x && box.x + box.width <= frame.x + frame.width + 1;
        })
        .toBe(true);
      expect([name, await tab.getAttribute('aria-selected'), await cutOff()]).toEqual([name, 'true', []]);
    }
    await context.close();
  });

  it('a browser can load the manifest and the icons without a token', async () => {
    const files = ['/manifest.webmanifest', '/apple-touch-icon.png', '/icon-192.png', '/icon-512.png', '/favicon.ico'];
    const status = async (path: string) => (await fetch(`http://127.0.0.1:${baton.port}${path}`)).status;
    for (const path of files) expect([path, await status(path)]).toEqual([path, 200]);
    for (const path of ['/api/agents', '/api/devices', '/other.png']) expect(await status(path)).toBe(401);
    const { page, context, troubles } = await openPhone();
    const sizes = await page.evaluate(async () => {
      const manifest = await (await fetch('/manifest.webmanifest')).json();
      return Promise.all(
        manifest.icons.map(async ({ src, sizes }: { src: string; sizes: string }) => {
          const image = new Image();
          image.src = src;
          await image.decode();
          return sizes === 'any' || sizes === `${image.naturalWidth}x${image.naturalHeight}`;
        }),
      );
    });
    expect(sizes).toEqual([true, true, true, true]);
    expect(troubles).toEqual([]);
    await context.close();
  });

  it('a wide character takes two columns in the terminal view', async () => {
    const agent = await baton.agent({ persona: false });
    await baton.call('POST', `/api/agents/${agent.id}/messages`, { text: 'Say ⎿ 日本語 to me.' });
    const { page, context, troubles } = await openPhone();
    await goTo(page, `/agents/${agent.id}`);
    const terminal = page.getByRole('group', { name: /^Terminal of/ });
    await terminal.getByText('日').first().waitFor();
    expect(await terminal.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0);
    await page.waitForFunction(() => document.fonts.check('12px "DejaVu Mono"'));
    expect(await terminal.evaluate((element) => getComputedStyle(element).fontFamily)).toMatch(/^"DejaVu Mono"/);
    const fonts = await page.evaluate(() =>
      document.fonts.load('12px "Noto Sans Symbols"', '⎿').then((all) => all.length),
    );
    expect(fonts).toBe(1);
    const widths = await terminal.evaluate((element) => {
      const probe = document.createElement('span');
      probe.textContent = '0';
      element.append(probe);
      const column = probe.getBoundingClientRect().width;
      probe.remove();
      const cells = [...element.querySelectorAll<HTMLElement>('.terminal-cell')];
      const columns = (text: string): number =>
        Math.round((cells.find((cell) => cell.textContent === text)?.getBoundingClientRect().width ?? 0) / column);
      return [columns('⎿'), columns('日')];
    });
    expect(widths).toEqual([1, 2]);
    expect(troubles).toEqual([]);
    await context.close();
  });

  it('if the agent type supports a model and arguments, the start dialog sends the model and the arguments', async () => {
    const { page, context } = await openPhone();
    // The practice agent supports neither a model nor arguments. The test therefore marks model and arguments as
    // supported in the server's list of runtimes.
    await page.route('**/api/runtimes', async (route) => {
      const answer = (await (await route.fetch()).json()) as { runtimes: { capabilities: object }[] };
      const able = answer.runtimes.map((each) => ({
        ...each,
        capabilities: { ...each.capabilities, model: true, arguments: true },
      }));
      await route.fulfill({ json: { runtimes: able } });
    });
    const bodies: unknown[] = [];
    await page.route('**/api/agents', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      bodies.push(route.request().postDataJSON());
      await route.fulfill({ status: 201, json: { ...failed, id: 91 } });
    });
    await page.reload();
    await page.getByRole('button', { name: 'Start agent' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Model (optional)').fill(' small-1 ');
    await dialog.getByLabel('Arguments (optional)').fill('--add-dir\n../other folder\n');
    await dialog.getByRole('button', { name: 'Start agent' }).click();
    await toast(page, /^Agent 91 /).waitFor();
    expect(bodies).toMatchObject([{ model: 'small-1', client_args: ['--add-dir', '../other folder'] }]);
    await context.close();
  });

  it('if the agent type supports no model, the start dialog does not ask for one', async () => {
    const { page, context } = await openPhone();
    await page.getByRole('button', { name: 'Start agent' }).first().click();
    await page.getByRole('dialog').getByLabel('Number of agents').waitFor();
    expect(await page.getByLabel(/^Model|^Arguments/).count()).toBe(0);
    await context.close();
  });

  it('the operator can start several agents together, with the same first prompt', async () => {
    const { page, context } = await openPhone();
    const bodies: Record<string, unknown>[] = [];
    await page.route('**/api/agents', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      bodies.push(route.request().postDataJSON());
      await route.fulfill({ status: 201, json: { ...failed, id: 90 + bodies.length } });
    });
    await page.getByRole('button', { name: 'Start agent' }).first().click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('Persona').inputValue()).toBe(failed.persona?.slug);
    await dialog.getByLabel(/^First prompt/).fill('Do the next step of PLAN.md.');
    await dialog.getByLabel('Number of agents').fill('3');
    await dialog.getByRole('button', { name: 'Start 3 agents' }).click();
    await toast(page, '3 agents are starting: 91, 92, 93.').waitFor();
    expect(bodies).toHaveLength(3);
    for (const body of bodies)
      expect(body).toMatchObject({
        ...{ persona: failed.persona?.slug, runtime: 'practice', prompt: 'Do the next step of PLAN.md.' },
      });
    await context.close();
  });

  it('[D11] the settings page sends a test notification and shows the result', async () => {
    const { page, context } = await openPhone();
    await goTo(page, '/settings');
    await page.getByRole('button', { name: 'Send test notification' }).click();
    await page
      .getByRole('region', { name: 'Notification channels' })
      .getByText(/notification|channel is on/)
      .last()
      .waitFor();
    await context.close();
  });

  for (const colorScheme of ['light', 'dark'] as const)
    it(`axe finds no serious or critical problem on a phone page with a failure and a question, ${colorScheme}`, async () => {
      const { page, context } = await openPhone({ colorScheme });
      for (const path of [`/runs/${runId}`, `/agents/${asking.id}`, '/more', '/settings']) {
        await goTo(page, path);
        await page.locator('main [data-loading]').first().waitFor({ state: 'detached' });
        expect([path, await seriousFindings(page), await tooWide(page)]).toEqual([path, [], 0]);
      }
      await context.close();
    });
});
