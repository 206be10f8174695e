import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../../scripts/bench/chromium.mjs';
import type { Agent } from '../../src/contract/resources.ts';
import { BatonProcess } from '../support/baton-process.ts';
import { goTo } from './support/alive.ts';
import { openPage } from './support/browser.ts';

/** Tests a handoff by the operator in a real browser, with real tmux and practice agents. */
describe('a handoff from the page', () => {
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

  const agents = async (): Promise<Agent[]> => (await baton.get<{ agents: Agent[] }>('/api/agents')).agents;

  it('[000] one click on Handoff hands over the agent, and the page shows the successor', async () => {
    const { page, troubles } = await openPage(browser, baton);
    const other = await openPage(browser, baton);

    await page.getByRole('link', { name: 'Personas' }).click();
    await page
      .getByRole('button', { name: /create|new persona/i })
      .first()
      .click();
    const creating = page.getByRole('dialog');
    await creating.getByLabel('Role').fill('developer');
    await creating.getByLabel('Name').fill('Robin');
    await creating.getByRole('button', { name: 'Create' }).click();
    await page.getByText('Robin').first().waitFor();

    await page.getByRole('link', { name: 'Agents', exact: true }).click();
    await page.getByRole('main').getByRole('button', { name: 'Start agent', exact: true }).click();
    const starting = page.getByRole('dialog');
    await starting
      .getByLabel(/absolute path|folder/i)
      .first()
      .fill(baton.project());
    await starting.getByLabel('Persona').selectOption({ label: 'Robin · developer' });
    await starting.getByRole('button', { name: 'Start' }).click();

    const card = page.getByRole('article', { name: /Robin, agent \d+/ });
    await card.getByText('Idle', { exact: true }).waitFor();
    expect(await card.getByRole('button', { name: /^Handoff/ }).count()).toBe(0);

    const [first] = await agents();
    // The practice agent reports its context use. The handoff button must then appear without a reload.
    await card.getByRole('button', { name: /^Message/ }).click();
    await card.getByRole('textbox').fill('Do the next step of PLAN.md. [[practice:context 86]]');
    await card.getByRole('button', { name: /^Send message to/ }).click();
    await card.getByText('Accepted.').waitFor();
    const button = card.getByRole('button', { name: /^Handoff/ });
    await button.waitFor();
    await other.page
      .getByRole('article', { name: /Robin/ })
      .getByRole('button', { name: /^Handoff/ })
      .waitFor();

    await button.click();
    await card.getByRole('region', { name: /^Handoff \d/ }).waitFor();
    const successor = page.getByRole('article').filter({ hasText: `continues agent ${first?.id}` });
    await successor.waitFor();
    await other.page
      .getByRole('article')
      .filter({ hasText: `continues agent ${first?.id}` })
      .waitFor();

    await page.getByRole('link', { name: 'Handoffs' }).click();
    await page.getByText('Completed').first().waitFor();

    const next = (await agents()).find(({ previous_agent_id }) => previous_agent_id === first?.id);
    await goTo(page, `/agents/${first?.id}`);
    await page.getByText('Continued by').waitFor();
    await page.getByRole('link', { name: `agent ${next?.id}`, exact: true }).click();
    await page.getByRole('heading', { name: `Robin · agent ${next?.id}` }).waitFor();
    expect([...troubles, ...other.troubles]).toEqual([]);
  });

  it('if a handoff failed and its agent has ended, the first action that the page offers is to start a successor', async () => {
    const agent = await baton.agent({ behaviour: { handoff: 'crash' } });
    const { body } = await baton.call<{ run_id: number }>('POST', `/api/agents/${agent.id}/handoff`, {});
    const { failure } = await baton.over(body.run_id);
    expect(failure?.hint).toContain(`baton handoff ${agent.id} --emergency`);
    const { page, troubles } = await openPage(browser, baton);
    const actions = page.getByRole('group', { name: `Actions for handoff ${body.run_id}` });
    for (const place of ['/inbox', `/runs/${body.run_id}`]) {
      await goTo(page, place);
      await actions.first().getByRole('button', { name: 'Start successor' }).waitFor();
      const buttons = await actions.first().getByRole('button').allTextContents();
      expect([place, buttons[0]]).toEqual([place, 'Start successor']);
      expect(await page.getByRole('button', { name: 'Start successor' }).count()).toBe(1);
    }
    await actions.getByRole('button', { name: 'Start successor' }).click();
    await baton.event((event) => event.type === 'handoff_progress' && event.run_id === body.run_id + 1);
    expect(troubles).toEqual([]);
  });
});
