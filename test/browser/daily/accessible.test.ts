import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../../../scripts/bench/chromium.mjs';
import type { Agent } from '../../../src/contract/resources.ts';
import { PackageProcess } from '../../e2e/packages/package-process.ts';
import { delegation, full, gatePackage } from '../../surfaces/http/packages/package-scene.ts';
import { goTo } from '../support/alive.ts';
import { findings, seriousFindings, tooWide } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { badButtonNames } from '../support/button-names.ts';
import { type Objects, onEveryDialog, onEveryPage, pathsOf } from '../support/every-view.ts';

const WIDTHS = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };
describe('the page for people who use a keyboard or a screen reader', () => {
  const scene = new PackageProcess();
  const { baton } = scene;
  let browser: Browser;
  let objects: Objects;
  beforeAll(async () => {
    await scene.begin();
    browser = await launchChromium();
    const asking = [await baton.agent(), await baton.agent()];
    for (const { id } of asking)
      await baton.call('POST', `/api/agents/${id}/messages`, { text: '[[practice:dialog Bash(make)]]' });
    const failed = await baton.agent({ behaviour: { handoff: 'ignore' } });
    const failedRunId = (await baton.call<{ run_id: number }>('POST', `/api/agents/${failed.id}/handoff`, {})).body
      .run_id;
    await baton.over(failedRunId);
    for (const { id } of asking) await baton.event(({ type, agent_id }) => type === 'inbox_opened' && agent_id === id);
    const gateId = (await scene.create(gatePackage(), scene.con)).body.id;
    const vague = delegation({ expectations: { deliverable: 'A report', success_criteria: ['TBD'] } });
    const draftId = (await scene.call(scene.con, 'POST', '', { package: vague, seal: false })).body.id;
    const acceptedId = (await scene.create(delegation(), scene.con)).body.id;
    await scene.call(scene.ann, 'POST', `/${acceptedId}/receive`, {});
    await scene.call(scene.ann, 'POST', `/${acceptedId}/ack`, full());
    const taught = await baton.agent();
    const lesson = '[[practice:lesson Run npm ci before the tests.]]';
    await baton.call('POST', `/api/agents/${taught.id}/messages`, { text: lesson });
    await baton.event(({ type, agent_id }) => type === 'message_verdict' && agent_id === taught.id);
    await baton.ready(taught.id, true);
    await baton.over(
      (await baton.call<{ run_id: number }>('POST', `/api/agents/${taught.id}/handoff`, {})).body.run_id,
    );
    const reviewed = await baton.agent();
    const { body: review } = await baton.call<{ run_id: number }>('POST', `/api/agents/${reviewed.id}/handoff`, {
      review: true,
    });
    await baton.event(({ type, run_id }) => type === 'inbox_opened' && run_id === review.run_id);
    const wanted = { project_id: scene.projectId, persona: null };
    const bare = await baton.ready((await baton.call<Agent>('POST', '/api/agents', wanted)).body.id, false);
    const ended = await baton.agent();
    await baton.call('POST', `/api/agents/${ended.id}/stop`, { force: true });
    await baton.event(({ type, agent_id }) => type === 'agent_process_gone' && agent_id === ended.id);
    const reviewedRunId = review.run_id;
    objects = { failed, taught, idle: scene.ann, bare, failedRunId, reviewedRunId, gateId, draftId, acceptedId };
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await baton.cleanUp();
  });

  it('the name of every button says which object the button is for, on every page and in every dialog', async () => {
    const { page, context } = await openPage(browser, baton, { viewport: { width: 1440, height: 900 } });
    const found: string[] = [];
    let count = 0;
    const check = async (view: string): Promise<void> => {
      const { names, problems } = await badButtonNames(page);
      count += names.length;
      found.push(...problems.map((problem) => `${view}: ${problem}`));
    };
    await onEveryPage(page, objects, check);
    await onEveryDialog(page, objects, check);
    expect(found).toEqual([]);
    expect(count).toBeGreaterThan(200);
    await context.close();
  });

  it('[D8] the most urgent inbox item opens with two key presses, from the list of agents and from every other page', async () => {
    const { page, context } = await openPage(browser, baton);
    const opened = () => page.getByRole('heading', { name: new RegExp(`agent ${objects.failed.id}$`), level: 1 });
    await goTo(page, '/');
    await page.getByRole('list', { name: 'Needs you, worst first' }).getByRole('article').first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await opened().waitFor();
    for (const from of pathsOf(objects)) {
      await goTo(page, from);
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog', { name: 'Go to' }).getByRole('option').first().waitFor();
      await page.keyboard.press('Enter');
      await opened().waitFor();
    }
    await context.close();
  });

  for (const [look, viewport] of Object.entries(WIDTHS))
    for (const colorScheme of ['light', 'dark'] as const)
      it(`axe finds no problem on any page, view or dialog, ${colorScheme}, ${look}`, async () => {
        const { page, context, troubles } = await openPage(browser, baton, { colorScheme, viewport });
        const found: string[] = [];
        const check = async (name: string): Promise<void> => {
          found.push(...(await findings(page)).map((line) => `${name}: ${line}`));
          if ((await tooWide(page)) > 0) found.push(`${name}: too wide`);
        };
        await onEveryPage(page, objects, check);
        await onEveryDialog(page, objects, check);
        await goTo(page, `/agents/${scene.ann.id}`);
        await page
          .getByRole('button', { name: /^More actions for/ })
          .first()
          .click();
        await page.getByRole('menuitem', { name: /end of shift/ }).waitFor();
        // Check only for serious findings. Axe also complains that the menu is outside of all landmarks, but popup
        // menus usually are.
        found.push(...(await seriousFindings(page)));
        expect(troubles).toEqual([]);
        await page.evaluate(() => localStorage.clear());
        await page.goto(`http://127.0.0.1:${baton.port}/`);
        await page.reload();
        await page.getByText('Sign in:').waitFor();
        await check('sign in');
        expect(found).toEqual([]);
        await context.close();
      });
});
