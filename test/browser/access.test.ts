import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../../scripts/bench/chromium.mjs';
import type { Agent } from '../../src/contract/resources.ts';
import { BatonProcess } from '../support/baton-process.ts';
import { openPage } from './support/browser.ts';

/** Tests accessibility: keyboard only, screen reader, dark mode and phone. */
describe('accessibility of the web interface', () => {
  const baton = new BatonProcess();
  let browser: Browser;
  let waiting: Agent;
  let runId: number;
  beforeAll(async () => {
    await baton.start();
    browser = await launchChromium();
    const first = await baton.agent();
    await baton.call('POST', `/api/agents/${first.id}/messages`, { text: 'Do the next step of PLAN.md.' });
    await baton.event(({ type, agent_id }) => type === 'turn_ended' && agent_id === first.id);
    runId = (await baton.call<{ run_id: number }>('POST', `/api/agents/${first.id}/handoff`, {})).body.run_id;
    await baton.over(runId);
    waiting = await baton.agent({ persona: false });
    await baton.call('POST', `/api/agents/${waiting.id}/messages`, { text: '[[practice:dialog Bash(make)]]' });
    await baton.event(({ type, agent_id }) => type === 'agent_state_changed' && agent_id === waiting.id, 0);
  });
  afterAll(async () => {
    await browser?.close();
    await baton.cleanUp();
  });

  it("with the keyboard alone, the operator can open an agent's menu and start a handoff with a note", async () => {
    const { page, context } = await openPage(browser, baton);
    const fresh = await baton.agent();
    await page.getByRole('article', { name: new RegExp(`agent ${fresh.id}$`) }).waitFor();
    const tabTo = async (name: RegExp): Promise<void> => {
      for (let n = 0; n < 120; n++) {
        await page.keyboard.press('Tab');
        const label = await page.evaluate(
          () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '',
        );
        if (name.test(label)) return;
      }
      throw new Error(`the keyboard never came to ${name}`);
    };
    // Wait until the menu has moved the focus to the item. An Enter before that moment would choose another item.
    const typeTo = async (letters: string, item: RegExp): Promise<void> => {
      await page.keyboard.type(letters);
      await page.locator('[role=menuitem]:focus', { hasText: item }).waitFor();
    };
    await tabTo(new RegExp(`^More actions for .*agent ${fresh.id}$`));
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: /end of shift/ }).waitFor();
    await typeTo('Hand over: end', /end of shift/);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    await tabTo(new RegExp(`^More actions for .*agent ${fresh.id}$`));
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: /end of shift/ }).waitFor();
    await typeTo('Hand over: end', /end of shift/);
    await page.keyboard.press('Enter');
    await tabTo(/^$/);
    await dialog.getByLabel(/^Note/).focus();
    await page.keyboard.type('By keyboard only');
    await tabTo(/^Start handoff$/);
    await page.keyboard.press('Enter');
    const { run_id } = await baton.event(
      ({ type, agent_id, data }) => type === 'handoff_progress' && agent_id === fresh.id && data.to === 'requested',
    );
    const run = await baton.get<{ reason: string; note: string }>(`/api/runs/${run_id}`);
    expect(run).toMatchObject({ reason: 'shift_end', note: 'By keyboard only' });
    await context.close();
  });
});
