import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchChromium } from '../../scripts/bench/chromium.mjs';
import type { Agent, Persona, Project } from '../../src/contract/resources.ts';
import { PATHS } from '../../src/contract/routes.ts';
import { BatonProcess } from '../support/baton-process.ts';
import { OperatorTmux, until } from '../support/operator-tmux.ts';
import { goTo } from './support/alive.ts';
import { openPage, type Watched } from './support/browser.ts';

/** Tests that the page lists and adopts sessions that the operator started outside Baton. */
describe('external sessions on the page', () => {
  const baton = new BatonProcess();
  const own = new OperatorTmux(baton);
  let browser: Browser;
  let watched: Watched;
  let page: Page;
  let con: Persona;
  let zoe: Persona;
  beforeAll(async () => {
    await own.installHooks();
    await baton.start();
    const register = async (name: string) =>
      (await baton.call<Persona>('POST', '/api/personas/register', { role: 'developer', name })).body;
    con = await register('Con');
    zoe = await register('Zoe');
    browser = await launchChromium();
  });
  beforeEach(async () => {
    watched = await openPage(browser, baton);
    page = watched.page;
  });
  afterEach(async () => {
    const { troubles, context } = watched;
    await context.close();
    expect(troubles).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await own.cleanUp();
    await baton.cleanUp();
  });

  const live = async (): Promise<Agent[]> => (await baton.get<{ agents: Agent[] }>('/api/agents?live=1')).agents;

  it('the operator can adopt and release an external session on the page', async () => {
    // The session must appear on the open page without a reload.
    const session = await own.seen();
    const row = page.getByRole('article', { name: `Session ${session.id.slice(0, 8)}` });
    await row.getByText(session.folder).waitFor();
    const adopt = row.getByRole('button', { name: /^Adopt/ });
    await adopt.click();
    const dialog = page.getByRole('dialog');
    for (const told of [/reads its screen/, /types the instruction into it/, /stops it/, /stay as they are/])
      await dialog.getByText(told).first().waitFor();
    await dialog.getByText('Baton types nothing into the session until you send a message.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await live()).toEqual([]);

    await adopt.click();
    await dialog.getByLabel('Persona').selectOption({ label: 'Con · developer' });
    await dialog.getByText('The session gets the persona Con: Baton types the skill').waitFor();
    await dialog.getByRole('button', { name: 'Adopt session' }).click();
    const card = page.getByRole('article', { name: /^Con, agent \d+$/ });
    await card.getByText('In your tmux').waitFor();
    await row.waitFor({ state: 'detached' });
    const [agent] = await live();
    expect(await baton.ready(agent?.id ?? 0, true)).toMatchObject({ adopted: true, persona: { slug: con.slug } });
    expect(own.submitted(session.id, '-skill]')).toBe(1);

    await page.getByRole('button', { name: /^More actions for Con/ }).click();
    await page.getByRole('menuitem', { name: 'Change persona…' }).click();
    await dialog.getByLabel('Persona').selectOption({ label: 'Zoe · developer' });
    await dialog.getByRole('button', { name: 'Change persona' }).click();
    await page.getByRole('article', { name: /^Zoe, agent \d+$/ }).waitFor();
    await until('the other skill is typed', async () => own.submitted(session.id, 'You are Zoe') === 1);
    await baton.ready(agent?.id ?? 0, true);

    await page.getByRole('button', { name: /^More actions for Zoe/ }).click();
    await page.getByRole('menuitem', { name: 'Release…' }).click();
    await dialog.getByRole('button', { name: 'Release agent' }).click();
    await row.waitFor();
    expect(await live()).toEqual([]);
  });

  it('the start and adopt dialogs propose the default persona of the project', async () => {
    const session = await own.seen();
    const { body } = await baton.call<Project>('POST', '/api/projects', { path: session.folder });
    const { body: bare } = await baton.call<Agent>('POST', '/api/agents', { project_id: body.id });
    await baton.ready(bare.id, false);
    const dialog = page.getByRole('dialog');
    const choose = async (persona: string): Promise<void> => {
      await dialog.getByLabel('Persona', { exact: true }).selectOption({ label: `${persona} · developer` });
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    // The settings page must show the default persona of every project, even if only one agent runs.
    await goTo(page, '/settings');
    await page.getByRole('button', { name: `Change default persona of ${body.name}` }).click();
    await choose('Zoe');
    const row = page
      .getByRole('region', { name: 'Default personas' })
      .getByRole('listitem')
      .filter({ hasText: body.name });
    await row.getByText('Zoe · developer').waitFor();
    // Start a second agent, because the page offers to group agents only if there are at least two.
    await baton.agent();
    await goTo(page, '/');
    await page.getByLabel('Group agents').selectOption('project');
    const section = page.getByRole('region', { name: body.name });
    // Press Enter instead of clicking, because the new agent can move the sections between mouse down and mouse up.
    await section.getByRole('button', { name: 'Default persona: Zoe' }).press('Enter');
    // Delay the list of external sessions, so that the dialog opens with the old default persona.
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(`**${PATHS.candidates}`, async (route) => {
      await released;
      await route.continue();
    });
    await choose('Con');
    await section.getByRole('button', { name: 'Default persona: Con' }).waitFor();

    await page.getByRole('button', { name: `Adopt session ${session.id.slice(0, 8)}` }).click();
    await until('Zoe is proposed', async () => (await dialog.getByLabel('Persona').inputValue()) === zoe.slug);
    release();
    await until('Con is proposed', async () => (await dialog.getByLabel('Persona').inputValue()) === con.slug);
    await page.unrouteAll({ behavior: 'wait' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('main').getByRole('button', { name: 'Start agent', exact: true }).click();
    await dialog.getByLabel('Project').selectOption(String(body.id));
    await until('Con is proposed', async () => (await dialog.getByLabel('Persona').inputValue()) === con.slug);
    await dialog.getByLabel('Persona').selectOption('');
    await dialog.getByRole('button', { name: 'Start agent' }).click();
    await until('it has none', async () => {
      const [last] = (await live()).slice(-1);
      return last !== undefined && last.id !== bare.id && last.persona === null;
    });
  });
});
