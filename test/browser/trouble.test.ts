import { createServer } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../../scripts/bench/chromium.mjs';
import type { Run } from '../../src/contract/resources.ts';
import { BatonProcess } from '../support/baton-process.ts';
import { openPage } from './support/browser.ts';
import { layLink } from './support/cuttable-link.ts';

/** A fixed port, so that the page finds the restarted server at the same address. */
const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });

/** Tests the page when runs fail, the server restarts or the connection is cut. */
describe('the page, when something fails,', () => {
  let baton: BatonProcess;
  let browser: Browser;
  beforeAll(async () => {
    baton = new BatonProcess({ port: await freePort() });
    await baton.start();
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await baton.cleanUp();
  });

  const trigger = async (agentId: number): Promise<number> =>
    (await baton.call<{ run_id: number }>('POST', `/api/agents/${agentId}/handoff`, {})).body.run_id;

  it('[F26] shows the error of a failed run in full, and the button next to it continues the run', async () => {
    const { page, troubles, context } = await openPage(browser, baton);
    const agent = await baton.agent({ behaviour: { handoff: 'ignore_once' } });
    const runId = await trigger(agent.id);
    const { failure } = await baton.over(runId);
    const card = page.getByRole('article', { name: new RegExp(`agent ${agent.id}$`) });
    await card.getByText(failure?.sentence ?? 'no failure').waitFor();
    await card.getByText(failure?.hint ?? 'no hint').waitFor();
    await page.waitForFunction(() => document.title === '(1) Baton');

    await card.getByRole('button', { name: 'Request document again' }).click();
    await page
      .getByRole('article')
      .filter({ hasText: `continues agent ${agent.id}` })
      .waitFor();
    await page.waitForFunction(() => document.title === 'Baton');
    expect((await baton.get<Run>(`/api/runs/${runId}`)).attempt).toBe(2);
    expect(troubles).toEqual([]);
    await context.close();
  });

  it('[X-10] shows health problems of Baton itself until they are solved', async () => {
    const { page, context } = await openPage(browser, baton);
    const sentence = 'Baton could not find its home: /home/op/.baton was moved';
    let trouble = [sentence];
    await page.route('**/api/health', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), status: 'trouble', trouble } });
    });
    await page.reload();
    await page.getByRole('alert').filter({ hasText: sentence }).waitFor();
    trouble = [];
    await page.reload();
    await page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
    await page.getByRole('alert').filter({ hasText: sentence }).waitFor({ state: 'detached' });
    await context.close();
  });

  it('loses nothing when it is reloaded or the server restarts in the middle of a run', async () => {
    const { page, context } = await openPage(browser, baton);
    const agent = await baton.agent({ behaviour: { handoff: 'slow' } });
    const card = page.getByRole('article', { name: new RegExp(`agent ${agent.id}$`) });
    await card.waitFor();
    const runId = await trigger(agent.id);
    await card.getByRole('region', { name: `Handoff ${runId}` }).waitFor();
    await page.reload();
    await page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
    await page
      .getByRole('region', { name: `Handoff ${runId}` })
      .first()
      .waitFor();

    await baton.kill('SIGKILL');
    await page.getByRole('alert').filter({ hasText: 'Data may be out of date' }).waitFor();
    await baton.start();
    // The page is still logged in after the restart.
    await page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
    await page.getByRole('alert').filter({ hasText: 'Data may be out of date' }).waitFor({ state: 'detached' });
    await page
      .getByRole('article')
      .filter({ hasText: `continues agent ${agent.id}` })
      .waitFor();
    expect(await baton.over(runId)).toMatchObject({ step: 'completed' });
    await context.close();
  });

  it('shows that it is disconnected, and shows the missed events when it is connected again', async () => {
    const link = await layLink(baton.port);
    const { page, context } = await openPage(browser, baton, { port: link.port });
    const agent = await baton.agent();
    const card = page.getByRole('article', { name: new RegExp(`agent ${agent.id}$`) });
    await card.getByText('Idle').waitFor();
    const seen = Number(await page.locator('[data-last-seq]').getAttribute('data-last-seq'));

    link.cut();
    await page.getByRole('alert').filter({ hasText: 'Data may be out of date' }).waitFor();
    await baton.call('POST', `/api/agents/${agent.id}/messages`, { text: 'Work. [[practice:context 91]]' });
    const { seq } = await baton.event(
      ({ type, agent_id, data }) =>
        type === 'context_measured' && agent_id === agent.id && Number(data.usedPercent) > 90,
    );
    expect(await card.getByText('91 %').count()).toBe(0);

    link.mend();
    await card.getByText('91 %').waitFor();
    await card.getByRole('button', { name: /^Handoff/ }).waitFor();
    const { last_seq } = await baton.get<{ last_seq: number }>('/api/health');
    await page.waitForFunction(
      (wanted) => Number(document.querySelector('[data-last-seq]')?.getAttribute('data-last-seq')) >= wanted,
      seq,
    );
    const status = page.locator('[data-events-applied]');
    const [applied, last] = [
      Number(await status.getAttribute('data-events-applied')),
      Number(await status.getAttribute('data-last-seq')),
    ];
    expect(last).toBeGreaterThan(seen);
    expect(last).toBeLessThanOrEqual(last_seq + 100);
    // Each event was applied once, including the events that happened while the page was offline.
    expect(applied).toBeGreaterThanOrEqual(last - seen);
    await context.close();
    link.close();
  });

  it('works in more tabs than the browser has connections, even after the tab that reads the events is closed', async () => {
    const { page: first, context } = await openPage(browser, baton);
    const tabs = [first];
    for (let n = 1; n < 8; n++) {
      const tab = await context.newPage();
      const { url } = (await baton.call<{ url: string }>('POST', '/api/login-codes', {})).body;
      await tab.goto(url);
      await tab.getByRole('status').filter({ hasText: 'Live' }).waitFor();
      tabs.push(tab);
    }
    const one = await baton.agent();
    for (const tab of tabs) await tab.getByRole('article', { name: new RegExp(`agent ${one.id}$`) }).waitFor();
    await first.close();
    const two = await baton.agent();
    for (const tab of tabs.slice(1))
      await tab
        .getByRole('article', { name: new RegExp(`agent ${two.id}$`) })
        .getByText('Idle')
        .waitFor();
    await context.close();
  });
});
