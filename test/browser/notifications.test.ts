import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../../scripts/bench/chromium.mjs';
import type { InboxItem, SettingsView } from '../../src/contract/resources.ts';
import { BatonProcess } from '../support/baton-process.ts';
import { goTo } from './support/alive.ts';
import { openPage, toast } from './support/browser.ts';

/**
 * Tests that the browser shows the server's notifications. Switches, quiet hours and mutes apply to the browser as to
 * every other channel.
 */
describe('notifications of the browser', () => {
  const baton = new BatonProcess({ notifications: { os: false } });
  let browser: Browser;
  beforeAll(async () => {
    await baton.start();
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await baton.cleanUp();
  });

  /**
   * Replaces the class Notification with a recorder, because headless Chromium shows no notifications, and makes the
   * page hidden.
   */
  const listen = async (page: Page): Promise<() => Promise<string[]>> => {
    await page.evaluate(() => {
      const told: string[] = [];
      class Shown {
        static permission = 'granted';
        constructor(title: string, { body }: { body: string }) {
          told.push(`${title}\n${body}`);
        }
      }
      localStorage.setItem('baton-notifications', 'on');
      Object.assign(window, { Notification: Shown, told });
      Object.defineProperty(document, 'hidden', { get: () => true });
    });
    return () => page.evaluate(() => (window as unknown as { told: string[] }).told);
  };
  const ask = async (): Promise<number> => {
    const { id } = await baton.agent({ persona: false });
    await baton.call('POST', `/api/agents/${id}/messages`, { text: '[[practice:dialog Bash(make)]]' });
    return id;
  };
  const inboxOf = async (id: number): Promise<InboxItem | undefined> =>
    (await baton.get<{ items: InboxItem[] }>('/api/inbox')).items.find(({ agent_id }) => agent_id === id);

  it('browser notifications are held back in quiet hours', async () => {
    const { page, context, troubles } = await openPage(browser, baton);
    const told = await listen(page);
    const first = await ask();
    await page.waitForFunction(() => (window as unknown as { told: string[] }).told.length === 1);
    expect(await told()).toEqual([
      expect.stringMatching(new RegExp(`\\(agent ${first}\\) asks .*\\n.*agent ${first}`)),
    ]);

    const quiet_hours = { from: '00:00', to: '23:59' };
    await baton.call<SettingsView>('POST', '/api/settings', { quiet_hours });
    const held = [await ask(), await ask()];
    for (const id of held) await baton.event(({ type, agent_id }) => type === 'inbox_held' && agent_id === id);
    expect((await inboxOf(held[0] ?? 0))?.notified).toEqual({ held: 'quiet hours' });
    await goTo(page, '/inbox');
    const items = page.getByRole('list', { name: 'Items that need you' });
    await items.getByText('Notification held back (quiet hours)').first().waitFor();
    expect(await told()).toHaveLength(1);

    await baton.call<SettingsView>('POST', '/api/settings', { quiet_hours: null });
    await page.waitForFunction(() => (window as unknown as { told: string[] }).told.length === 2);
    expect((await told())[1]).toMatch(/^Baton: 2 delayed notifications\n/);
    expect(troubles).toEqual([]);
    await context.close();
  });

  it('the operator can configure browser notifications on a phone', async () => {
    const { page, context, troubles } = await openPage(browser, baton, { viewport: { width: 390, height: 844 } });
    await goTo(page, '/settings');
    await page.getByRole('switch', { name: 'An agent has finished' }).click();
    await toast(page, 'Notifications off: An agent has finished.').waitFor();
    await page.getByRole('switch', { name: 'Quiet hours' }).click();
    await page.getByLabel('to', { exact: true }).fill('06:30');
    await page.getByLabel('to', { exact: true }).press('Enter');
    await toast(page, 'Quiet hours: 22:00 to 06:30.').waitFor();
    expect(await baton.get<SettingsView>('/api/settings')).toMatchObject({
      quiet_hours: { from: '22:00', to: '06:30' },
      notifications: { finished: false, waits: true },
    });
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    expect(troubles).toEqual([]);
    await context.close();
  });
});
