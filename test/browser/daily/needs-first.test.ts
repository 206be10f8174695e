import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchChromium } from '../../../scripts/bench/chromium.mjs';
import type { Agent, InboxItem } from '../../../src/contract/resources.ts';
import { BatonProcess } from '../../support/baton-process.ts';
import { goTo } from '../support/alive.ts';
import { openPage, toast, type Watched } from '../support/browser.ts';

const DIALOG = '[[practice:dialog Bash(rm -rf build && npm publish)]]';

describe('agents that need the operator, on the page', () => {
  const baton = new BatonProcess();
  let browser: Browser;
  let watched: Watched;
  let page: Page;
  beforeAll(async () => {
    await baton.start();
    browser = await launchChromium();
  });
  beforeEach(async () => {
    watched = await openPage(browser, baton, { viewport: { width: 1440, height: 900 } });
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

  const asking = async (): Promise<Agent> => {
    const agent = await baton.agent({ persona: false });
    await baton.call('POST', `/api/agents/${agent.id}/messages`, { text: DIALOG });
    await baton.event(({ type, agent_id }) => type === 'inbox_opened' && agent_id === agent.id);
    return agent;
  };
  const first = () => page.getByRole('list', { name: 'Needs you, worst first' }).getByRole('article').first();

  it('[D8] the first card shows the most severe inbox item with its actions', async () => {
    for (let count = 0; count < 3; count++) await baton.agent({ persona: false });
    const agent = await asking();
    await page.reload();
    await first().getByText('rm -rf build && npm publish').first().waitFor();
    const yes = first().getByRole('button', { name: new RegExp(`^1 Yes: answer to .*, agent ${agent.id}$`) });
    expect((await yes.boundingBox())?.y).toBeLessThan(900);
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: new RegExp(`agent ${agent.id}$`), level: 1 }).waitFor();
    await goTo(page, '/');
    await first().getByRole('button', { name: /^2 No/ }).click();
    await page.getByRole('heading', { name: 'Nothing needs you.' }).waitFor();
  });

  /** Adds a usage limit to the server's answers. The practice agent itself cannot report when a limit ends. */
  async function limitAgent(limit: object): Promise<{ id: number; label: string }> {
    const { id, label } = await baton.agent();
    const sentence = `${label} (agent ${id}) is under a usage limit: 5-hour limit reached.`;
    const item = {
      ...{ id: 9002, kind: 'decision', severity: 'stuck', sentence, hint: '', agent_id: id, run_id: null },
      ...{ package_id: null, opened_at: new Date().toISOString(), offers: [], notified: {} },
    };
    const needs = { severity: 'stuck', sentence, since: item.opened_at, item_id: item.id };
    const limited = (agent: Agent) => (agent.id === id ? { ...agent, state: 'limited', limit, needs } : agent);
    await page.route(/\/api\/agents(\?|\/\d+$)/, async (route) => {
      const answer = (await (await route.fetch()).json()) as Agent & { agents?: Agent[] };
      await route.fulfill({
        json: answer.agents ? { ...answer, agents: answer.agents.map(limited) } : limited(answer),
      });
    });
    await page.route('**/api/inbox*', async (route) => {
      const answer = (await (await route.fetch()).json()) as { items: InboxItem[] };
      await route.fulfill({ json: { ...answer, items: [item, ...answer.items] } });
    });
    await page.reload();
    return { id, label };
  }
  const LIMIT = { words: '5-hour limit reached', until: null, retries_at: null, continues_itself: false, waits: false };

  it('for an agent under a usage limit, the card and the inbox item show the remaining time and the ways to continue', async () => {
    const until = new Date(Date.now() + 2 * 3_600_000).toISOString();
    const { id, label } = await limitAgent({ ...LIMIT, until });
    for (const path of ['/', '/inbox']) {
      await goTo(page, path);
      await page
        .getByRole('main')
        .getByText(/Usage limit reached\. It ends in 1 h 5\d min/)
        .waitFor();
      const wait = page.getByRole('button', { name: `Continue when the limit ends: ${label}, agent ${id}` });
      const sent = page.waitForRequest((request) => request.url().endsWith(`/api/agents/${id}/after-limit`));
      await page.route('**/after-limit', (route) => route.fulfill({ json: {} }));
      await wait.click();
      expect((await sent).postDataJSON()).toEqual({ continue: true });
    }
  });

  it('while a client retries a refused request, the page shows the time of the next try but no end time of the usage limit', async () => {
    const retriesAt = new Date(Date.now() + 60_000).toISOString();
    await limitAgent({ ...LIMIT, retries_at: retriesAt, continues_itself: true });
    for (const path of ['/', '/inbox']) {
      await goTo(page, path);
      const note = page.getByText("The agent's client does not say when the limit ends. It tries again at");
      await note.waitFor();
      expect(await note.locator('time').getAttribute('datetime')).toBe(retriesAt);
      expect(await note.textContent()).not.toContain('left');
    }
  });

  it('[D9] the button Undo brings back dismissed inbox items', async () => {
    await asking();
    await asking();
    await goTo(page, '/inbox');
    const rows = page.getByRole('list', { name: 'Items that need you' }).locator('> li');
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByRole('button', { name: 'Dismiss all 2' }).click();
    await page.getByRole('main').getByText('Nothing needs you', { exact: true }).waitFor();
    await toast(page, 'dismissed').getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => rows.count()).toBe(2);
    const { items } = await baton.get<{ items: InboxItem[] }>('/api/inbox');
    expect(items.map(({ severity }) => severity)).toEqual(['question', 'question']);
    await rows
      .first()
      .getByRole('button', { name: /^Dismiss/ })
      .click();
    await expect.poll(() => rows.count()).toBe(1);
  });

  it('the command palette, opened with Ctrl K, finds an ended agent by its number', async () => {
    const agent = await baton.agent({ persona: false });
    await baton.call('POST', `/api/agents/${agent.id}/stop`, { force: true });
    await baton.event(({ type, agent_id }) => type === 'agent_process_gone' && agent_id === agent.id);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^Find an agent/ }).fill(`agent ${agent.id}`);
    await page.getByRole('option', { name: new RegExp(`· agent ${agent.id}\\b`) }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('This agent has ended.').waitFor();
    await goTo(page, '/?tab=ended');
    await page.reload();
    await page
      .getByRole('table', { name: 'Ended agents' })
      .getByText(`agent ${agent.id}`, { exact: false })
      .first()
      .waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  });

  it('the command palette keeps the letters that are typed while the palette is loading, even letters that are also shortcuts', async () => {
    let load = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      load = resolve;
    });
    const asked = page.waitForRequest(/palette-/);
    await page.route(/palette-/, async (route) => {
      await released;
      await route.continue();
    });
    await page.keyboard.press('Control+k');
    await asked;
    // Type letters that are shortcuts outside the palette, such as j and k. The palette must keep all of them, although
    // it is still being loaded, and Enter must not open the first entry of the list.
    await page.keyboard.type('jk?settingx');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Enter');
    load();
    const field = page.getByRole('combobox', { name: /^Find an agent/ });
    await field.waitFor();
    await page.keyboard.type('s');
    expect(await field.inputValue()).toBe('jk?settings');
    expect(await page.getByRole('dialog').count()).toBe(1);
  });

  it('[D16] the activity filter finds an ended agent that took part in no handoff', async () => {
    const agent = await baton.agent({ persona: false });
    await baton.call('POST', `/api/agents/${agent.id}/stop`, { force: true });
    await baton.event(({ type, agent_id }) => type === 'agent_process_gone' && agent_id === agent.id);
    await goTo(page, '/activity');
    await page.getByLabel('Agent', { exact: true }).fill(String(agent.id));
    await page.keyboard.press('Enter');
    const rows = page.getByRole('list', { name: 'Events, newest first' });
    await rows.getByText(`The process of Agent ${agent.id}`).waitFor();
    expect(await rows.getByText(/Agent 1\b/).count()).toBe(0);
  });

  it('[D19] the page of an unknown agent links back to the list of agents', async () => {
    let asked = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/api/agents/999')) asked += 1;
    });
    await goTo(page, '/agents/999');
    await page.getByRole('heading', { name: 'Agent 999 not found', level: 1 }).waitFor();
    expect(asked).toBe(1);
    await page.getByRole('link', { name: 'All agents' }).click();
    await page.getByRole('heading', { name: 'Agents', exact: true, level: 1 }).waitFor();
  });

  it('a toast with a link appears on any page when a handoff ends', async () => {
    const agent = await baton.agent();
    await goTo(page, '/settings');
    const { body } = await baton.call<{ run_id: number }>('POST', `/api/agents/${agent.id}/handoff`, {});
    await page
      .getByRole('status')
      .getByRole('link', { name: `Open handoff ${body.run_id}` })
      .click();
    await page.getByRole('heading', { name: new RegExp(`Handoff ${body.run_id}`), level: 1 }).waitFor();
  });
});
