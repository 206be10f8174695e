import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../../../scripts/bench/chromium.mjs';
import type { Agent, Persona, Project } from '../../../src/contract/resources.ts';
import { BatonProcess } from '../../support/baton-process.ts';
import { goTo } from '../support/alive.ts';
import { tooWide } from '../support/axe.ts';
import { openPage, type Watched } from '../support/browser.ts';

const NAME = 'Maximiliana-Theodora Wolkenkratzer-Schmidtberger of the Payments Department';
const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

describe('an agent with a long name, on the page', () => {
  const baton = new BatonProcess();
  let browser: Browser;
  let watched: Watched | undefined;
  let agent: Agent;
  let persona: Persona;
  beforeAll(async () => {
    await baton.start();
    browser = await launchChromium();
    const wanted = { role: 'reliability-engineer', name: NAME };
    persona = (await baton.call<Persona>('POST', '/api/personas/register', wanted)).body;
    const { body: project } = await baton.call<Project>('POST', '/api/projects', { path: baton.project() });
    agent = (await baton.call<Agent>('POST', '/api/agents', { project_id: project.id, persona: persona.slug })).body;
    await baton.ready(agent.id, true);
    // Start a second agent, because the page offers the button "List" only if there are several agents.
    await baton.agent({ persona: false });
  });
  afterEach(async () => {
    await watched?.context.close();
    watched = undefined;
  });
  afterAll(async () => {
    await browser?.close();
    await baton.cleanUp();
  });

  const open = async (viewport: { readonly width: number; readonly height: number }): Promise<Page> => {
    watched = await openPage(browser, baton, { viewport });
    return watched.page;
  };
  /** True if the whole text is visible, that is, if no element around the text cuts off a part of it. */
  const isWhole = (text: Locator) =>
    text.evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      const { left, right } = range.getBoundingClientRect();
      for (let around: Element | null = element; around !== null; around = around.parentElement) {
        const box = around.getBoundingClientRect();
        const cuts = getComputedStyle(around).overflowX !== 'visible';
        if (cuts && (left < box.left - 1 || right > box.right + 1)) return false;
      }
      return right > left;
    });

  it.each([DESKTOP, PHONE])('the card shows the whole name and the number of the agent (%j)', async (viewport) => {
    const page = await open(viewport);
    const card = page.getByRole('article', { name: new RegExp(`agent ${agent.id}$`) });
    expect(await isWhole(card.getByRole('heading').getByRole('link', { name: NAME }))).toBe(true);
    expect(await isWhole(card.getByText(`agent ${agent.id}`, { exact: true }))).toBe(true);
    expect(await tooWide(page)).toBe(0);
  });

  it.each([DESKTOP, PHONE])('the list shows the number of the agent beside its cut name (%j)', async (viewport) => {
    const page = await open(viewport);
    const more = page.getByRole('button', { name: 'Filter and sort' });
    if (await more.isVisible()) await more.click();
    await page.getByRole('button', { name: 'List', exact: true }).click();
    const row = page.getByRole('row').filter({ hasText: NAME });
    expect(await isWhole(row.getByText(`· agent ${agent.id}`))).toBe(true);
    expect(await row.getByTitle(NAME).count()).toBe(1);
    expect(await row.getByTitle(agent.project.name, { exact: true }).count()).toBe(1);
  });

  it.each([DESKTOP, PHONE])('the command palette shows the number of the agent (%j)', async (viewport) => {
    const page = await open(viewport);
    await page.keyboard.press('Control+k');
    const option = page.getByRole('option', { name: NAME });
    expect(await isWhole(option.getByText(`agent ${agent.id}`))).toBe(true);
  });

  it('on a phone, the buttons of a persona are in one row', async () => {
    const page = await open(PHONE);
    await goTo(page, `/personas/${persona.slug}`);
    const tops: number[] = [];
    for (const name of [/^Edit name and role/, /^Start agent as/, /^More actions/])
      tops.push(Math.round((await page.getByRole('main').getByRole('button', { name }).boundingBox())?.y ?? 0));
    expect(new Set(tops).size).toBe(1);
  });
});
