import { createServer } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../../scripts/bench/chromium.mjs';
import type { Run } from '../../src/contract/resources.ts';
import { shortenPaths } from '../../src/contract/words/shorten-paths.ts';
import { splitCommands } from '../../src/surfaces/page/parts/words/split-commands.ts';
import { BatonProcess } from '../support/baton-process.ts';
import { live, openPage } from './support/browser.ts';
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
describe('the page when something fails', () => {
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

  it('[F26] the card of a failed run shows the error and a button that continues the run', async () => {
    const { page, troubles, context } = await openPage(browser, baton);
    const agent = await baton.agent({ behaviour: { handoff: 'ignore_once' } });
    const runId = await trigger(agent.id);
    const { failure } = await baton.over(runId);
    const card = page.getByRole('article', { name: new RegExp(`agent ${agent.id}$`) });
    // Search for the sentence with shortened paths, because the card shortens long paths and keeps the whole path in a
    // tooltip.
    const parts = shortenPaths(failure?.sentence ?? 'no failure');
    const sentence = parts.map(({ shown }) => shown).join('');
    await card.getByText(sentence).waitFor();
    for (const { path } of parts) if (path !== null) await card.getByTitle(path).waitFor();
    // Do not expect the hint on the card, because it consists only of commands, and the card offers these commands as
    // buttons.
    expect(splitCommands(failure?.hint ?? 'no hint').prose).toBe('');
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

  it('[X-10] problems of Baton itself stay on the page until they are solved', async () => {
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
    await live(page).waitFor();
    await page.getByRole('alert').filter({ hasText: sentence }).waitFor({ state: 'detached' });
    await context.close();
  });

  it('the page still shows the run after a reload in the middle of the run', async () => {
    const { page, context } = await openPage(browser, baton);
    const agent = await baton.agent({ behaviour: { handoff: 'slow' } });
    const card = page.getByRole('article', { name: new RegExp(`agent ${agent.id}$`) });
    await card.waitFor();
    const runId = await trigger(agent.id);
    await card.getByRole('region', { name: `Handoff ${runId}` }).waitFor();
    await page.reload();
    await live(page).waitFor();
    await page
      .getByRole('region', { name: `Handoff ${runId}` })
      .first()
      .waitFor();

    await baton.kill('SIGKILL');
    await page.getByRole('alert').filter({ hasText: 'Data may be out of date' }).waitFor();
    await baton.start();
    // The page must still be logged in after the restart.
    await live(page).waitFor();
    await page.getByRole('alert').filter({ hasText: 'Data may be out of date' }).waitFor({ state: 'detached' });
    await page
      .getByRole('article')
      .filter({ hasText: `continues agent ${agent.id}` })
      .waitFor();
    expect(await baton.over(runId)).toMatchObject({ step: 'completed' });
    await context.close();
  });

  it('[D20] while the connection to Baton is lost, the page disables the buttons that send a request', async () => {
    const link = await layLink(baton.port);
    const { page, context } = await openPage(browser, baton, { port: link.port });
    const agent = await baton.agent();
    const card = page.getByRole('article', { name: new RegExp(`agent ${agent.id}$`) });
    await card.getByText('Idle', { exact: true }).waitFor();
    const seen = Number(await page.locator('[data-last-seq]').getAttribute('data-last-seq'));

    await card.getByRole('button', { name: /^Message/ }).click();
    await card.getByRole('textbox').fill('A draft');
    link.cut();
    await page
      .getByRole('alert')
      .filter({ hasText: /Data may be out of date\..*\. This page reconnects automatically and then catches up\./ })
      .waitFor();
    await page.waitForFunction(() => document.title.endsWith('Offline · Baton'));
    expect(await card.getByRole('button', { name: /^Send message to/ }).isDisabled()).toBe(true);
    expect(await card.getByRole('textbox').inputValue()).toBe('A draft');
    await baton.call('POST', `/api/agents/${agent.id}/messages`, { text: 'Work. [[practice:context 91]]' });
    const { seq } = await baton.event(
      ({ type, agent_id, data }) =>
        type === 'context_measured' && agent_id === agent.id && Number(data.usedPercent) > 90,
    );
    expect(await card.getByText('91 %').count()).toBe(0);

    link.mend();
    await card.getByText('91 %').waitFor();
    await page.waitForFunction(() => !document.title.includes('Offline'));
    expect(await card.getByRole('button', { name: /^Send message to/ }).isDisabled()).toBe(false);
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
    // The page must have applied each event once, including the events that happened while the page was offline.
    expect(applied).toBeGreaterThanOrEqual(last - seen);
    await context.close();
    link.close();
  });

  it('every tab works even if the number of open tabs exceeds the limit of connections from the browser to one server', async () => {
    const { page: first, context } = await openPage(browser, baton);
    const tabs = [first];
    for (let n = 1; n < 8; n++) {
      const tab = await context.newPage();
      const { url } = (await baton.call<{ url: string }>('POST', '/api/login-codes', {})).body;
      await tab.goto(url);
      await live(tab).waitFor();
      tabs.push(tab);
    }
    const one = await baton.agent();
    for (const tab of tabs) await tab.getByRole('article', { name: new RegExp(`agent ${one.id}$`) }).waitFor();
    await first.close();
    const two = await baton.agent();
    for (const tab of tabs.slice(1))
      await tab
        .getByRole('article', { name: new RegExp(`agent ${two.id}$`) })
        .getByText('Idle', { exact: true })
        .waitFor();
    await context.close();
  });
});
