import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../../scripts/bench/chromium.mjs';
import { BatonProcess } from '../support/baton-process.ts';
import { openPage } from './support/browser.ts';

/** Tests the first minute with Baton: one click starts the demo, without any setup or API key. */
describe('the first visit of the page', () => {
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

  it('one click on the first page plays a demo handoff up to the acknowledgment', async () => {
    const { page, troubles } = await openPage(browser, baton);
    await page.getByRole('heading', { name: 'No agents running' }).waitFor();
    for (const words of ['An agent works.', 'The context fills up.', 'A successor continues.', 'no API key'])
      await page.getByRole('main').getByText(words).waitFor();
    await page.getByRole('button', { name: 'Run demo with practice agent' }).click();

    const card = page.getByRole('article', { name: /^Robin, agent \d+$/ }).first();
    await card.waitFor();
    const agentId = Number(/\d+$/.exec((await card.getAttribute('aria-label')) ?? '')?.[0]);
    // Record every change of the card with an observer, because polling could miss a step. At each change, the observer
    // searches for the card again, because the card moves to the top when Baton suggests the handoff.
    await page.evaluate((label) => {
      const seen: { percents: number[]; steps: string[] } = { percents: [], steps: [] };
      Object.assign(window, { seen });
      const note = (): void => {
        const element = window.document.querySelector(`article[aria-label="${label}"]`);
        const percent = Number(element?.querySelector('[role=meter]')?.getAttribute('aria-valuenow') ?? -1);
        const step = element?.querySelector('[aria-label^="Handoff "] [aria-live]')?.textContent ?? '';
        if (percent >= 0 && percent !== seen.percents.at(-1)) seen.percents.push(percent);
        if (step !== '' && step !== seen.steps.at(-1)) seen.steps.push(step);
      };
      note();
      new MutationObserver(note).observe(window.document.body, {
        subtree: true,
        childList: true,
        attributes: true,
        characterData: true,
      });
    }, `Robin, agent ${agentId}`);
    await page
      .getByRole('region', { name: /^Handoff \d/ })
      .first()
      .waitFor();
    const successor = page.getByRole('article').filter({ hasText: `continues agent ${agentId}` });
    await successor.waitFor();
    const { percents, steps } = await page.evaluate(
      () => (window as unknown as { seen: { percents: number[]; steps: string[] } }).seen,
    );
    const { handoff_at_percent } = await baton.get<{ handoff_at_percent: number }>('/api/settings');
    expect(percents[0]).toBeLessThan(handoff_at_percent);
    expect(percents.at(-1)).toBeGreaterThanOrEqual(handoff_at_percent);
    expect(steps.length).toBeGreaterThanOrEqual(3);

    await page.getByRole('link', { name: 'Handoffs' }).click();
    await page.getByRole('link', { name: new RegExp(`agent ${agentId} →`) }).click();
    await page
      .getByRole('region', { name: "Successor's acknowledgment" })
      .getByText('it read the document to its end')
      .waitFor();
    await page.getByText('Completed').first().waitFor();
    const document = page.getByRole('group', { name: 'Rendered document' });
    await document.getByRole('heading', { name: 'What I was working on' }).waitFor();
    await document.getByRole('heading', { name: 'Next steps' }).waitFor();
    const stages = await page
      .getByRole('list', { name: 'Steps of this handoff' })
      .getByRole('listitem')
      .allTextContents();
    expect(stages.length).toBeGreaterThan(5);
    expect(stages.filter((stage) => !/done|skipped/.test(stage))).toEqual([]);
    expect(troubles).toEqual([]);
  });
});
