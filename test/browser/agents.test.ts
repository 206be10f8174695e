import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchChromium } from '../../scripts/bench/chromium.mjs';
import type { Agent, Persona, PersonaDetail, Run } from '../../src/contract/resources.ts';
import { BatonProcess } from '../support/baton-process.ts';
import { goTo } from './support/alive.ts';
import { openPage, toast, type Watched } from './support/browser.ts';

const MENU = '[[practice:menu Which colour? | Red | Blue]]';

/**
 * Tests the operator's daily actions on the page. Each result is compared with the state of the server or the agent's
 * own log.
 */
describe('agents on the page', () => {
  const baton = new BatonProcess();
  let browser: Browser;
  let watched: Watched;
  let page: Page;
  beforeAll(async () => {
    // A fake client whose version was never tested with Baton. It prints its version and does nothing else.
    const client = join(baton.project(), 'claude');
    writeFileSync(client, '#!/bin/sh\n[ "$1" = --version ] && echo "9.9.9 (Claude Code)" || exec sleep 600\n', {
      mode: 0o755,
    });
    await baton.start({ BATON_CLAUDE: client });
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
    await baton.cleanUp();
  });

  const say = (agent: Agent, text: string) => baton.call('POST', `/api/agents/${agent.id}/messages`, { text });
  const now = (agent: Agent): Promise<Agent> => baton.get<Agent>(`/api/agents/${agent.id}`);
  const cardOf = (agent: Agent): Locator => page.getByRole('article', { name: new RegExp(`agent ${agent.id}$`) });
  const chosenIn = (agent: Agent): unknown[] => baton.evidence(agent.id).flatMap(({ chosen }) => chosen ?? []);
  const choose = async (agent: Agent, item: RegExp): Promise<Locator> => {
    await page.getByRole('button', { name: new RegExp(`^More actions for .*agent ${agent.id}$`) }).click();
    await page.getByRole('menuitem', { name: item }).click();
    await page.getByRole('dialog').waitFor();
    return page.getByRole('dialog');
  };

  it("the card of an agent names the client's version if Baton was not tested with that version", async () => {
    const { body: project } = await baton.call<{ id: number }>('POST', '/api/projects', { path: baton.project() });
    const { body: agent } = await baton.call<Agent>('POST', '/api/agents', {
      project_id: project.id,
      runtime: 'claude-code',
    });
    await cardOf(agent)
      .getByText(/^Installed: Claude Code 9\.9\.9, not tested with Baton \(the latest tested version is 2\.1\.\d+\)$/)
      .waitFor();
    const practising = await baton.agent({ persona: false });
    await cardOf(practising).waitFor();
    expect(
      await cardOf(practising)
        .getByText(/^Installed:/)
        .count(),
    ).toBe(0);
    // End the fake client. If it kept running, Baton would report after a minute that the client's session did not
    // begin.
    await baton.call('POST', `/api/agents/${agent.id}/stop`, { force: true });
    await cardOf(agent).waitFor({ state: 'detached' });
  });

  it('the Message button of a card moves the focus to the message box', async () => {
    const agent = await baton.agent({ persona: false });
    await cardOf(agent)
      .getByRole('button', { name: /^Message / })
      .click();
    await page.keyboard.type('Add a test');
    expect(
      await cardOf(agent)
        .getByRole('textbox', { name: /^Message to/ })
        .inputValue(),
    ).toBe('Add a test');
  });

  it('the operator can answer a question by choosing an option or by writing a text', async () => {
    const agent = await baton.agent({ persona: false });
    await say(agent, MENU);
    const asked = cardOf(agent).getByRole('region', { name: /^Question from/ });
    await asked.getByText('Which colour?').waitFor();
    await asked.getByRole('button', { name: 'Blue' }).click();
    const told = page.getByRole('status').filter({ hasText: `The answer has reached agent ${agent.id}.` });
    await told.getByRole('button', { name: 'Dismiss' }).click();
    await cardOf(agent).getByText('Idle', { exact: true }).waitFor();
    expect(chosenIn(agent)).toEqual(['Blue']);

    await say(agent, MENU);
    await asked.getByRole('textbox').fill('Rather green');
    await asked.getByRole('button', { name: /^Send answer to / }).click();
    await told.waitFor();
    await cardOf(agent).getByText('Idle', { exact: true }).waitFor();
    expect(chosenIn(agent)).toEqual(['Blue', 'Rather green']);
  });

  it('a message that was refused stays in its text field', async () => {
    const agent = await baton.agent({ persona: false });
    const card = cardOf(agent);
    await card.getByRole('button', { name: /^Message/ }).click();
    await card.getByRole('textbox').fill('/exit');
    await card.getByRole('button', { name: /^Send message to/ }).click();
    await card.getByText('Refused.').waitFor();
    await card.getByText(`Nothing was typed to agent ${agent.id}`).waitFor();
    expect(await card.getByRole('textbox').inputValue()).toBe('/exit');
    expect(baton.accepted(agent.id, '/exit')).toBe(0);

    await card.getByRole('textbox').fill('Hello [[practice:say hello yourself]]');
    await page.keyboard.press('Control+Enter');
    await card.getByText('Accepted.').waitFor();
    expect(await card.getByRole('textbox').inputValue()).toBe('');
    expect(baton.accepted(agent.id, 'hello yourself')).toBe(1);
  });

  it('the menu items "Stop…" and "Kill…" ask for confirmation', async () => {
    for (const [item, yes] of [
      [/^Stop…/, 'Stop agent'],
      [/^Kill…/, 'Kill agent'],
    ] as const) {
      const agent = await baton.agent({ persona: false });
      await cardOf(agent).waitFor();
      await (await choose(agent, item)).getByRole('button', { name: 'Keep running' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await (await choose(agent, item)).press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      // The agent must still accept a message, which shows that the agent is not about to exit.
      expect((await say(agent, 'Still there?')).body.verdict).toBe('accepted');
      await baton.event(({ type, agent_id }) => type === 'turn_ended' && agent_id === agent.id);

      await (await choose(agent, item)).getByRole('button', { name: yes }).click();
      await baton.event(({ type, agent_id }) => type === 'agent_process_gone' && agent_id === agent.id);
      // The agent must now be in the list of ended agents.
      await cardOf(agent).waitFor({ state: 'detached' });
      await page.getByRole('link', { name: 'Ended', exact: true }).click();
      await page
        .getByRole('row')
        .filter({ hasText: `agent ${agent.id}` })
        .getByText('Ended')
        .waitFor();
      await page.getByRole('link', { name: 'Live', exact: true }).click();
    }
  });

  it('the operator can give an agent a persona on the page', async () => {
    const { body: persona } = await baton.call<Persona>('POST', '/api/personas/register', {
      role: 'tester',
      name: 'Tess',
    });
    const agent = await baton.agent({ persona: false });
    await cardOf(agent).getByText('No persona').waitFor();
    const dialog = await choose(agent, /Assign persona/);
    await dialog.getByLabel('Persona').selectOption({ label: 'Tess · tester' });
    await dialog.getByRole('button', { name: 'Assign persona' }).click();
    await page.getByRole('article', { name: `Tess, agent ${agent.id}` }).waitFor();
    expect(await baton.ready(agent.id, true)).toMatchObject({ persona: { slug: persona.slug } });
  });

  it("the page of an agent shows the agent's live screen", async () => {
    const { context } = watched;
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const agent = await baton.agent({ persona: false });
    await goTo(page, `/agents/${agent.id}`);
    const screen = page.getByRole('group', { name: /^Terminal of/ });
    await screen.getByText('❯').first().waitFor();
    expect(await screen.getByText('a blue whale').count()).toBe(0);
    await say(agent, '[[practice:say a blue whale]]');
    await screen.getByText('● a blue whale').waitFor();
    await page.getByRole('button', { name: 'Copy attach command' }).click();
    await page.getByRole('button', { name: 'Copy attach command' }).getByText('Copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe((await now(agent)).attach_command);

    await baton.call('POST', `/api/agents/${agent.id}/stop`, { force: true });
    await page.getByText('This agent has ended.').waitFor();
  });

  it('a new inbox item appears without a reload', async () => {
    await goTo(page, '/inbox');
    await page.getByRole('main').getByText('Nothing needs you', { exact: true }).waitFor();
    const agent = await baton.agent({ persona: false });
    await say(agent, MENU);
    const item = page.getByRole('list', { name: 'Items that need you' }).getByRole('listitem').first();
    await item.getByText('Which colour?').first().waitFor();
    await item.getByRole('button', { name: 'Red' }).waitFor();
    await page.waitForFunction(() => document.title === '(1) Baton');
    await item.getByRole('button', { name: /^Dismiss/ }).click();
    await page.getByRole('main').getByText('Nothing needs you', { exact: true }).waitFor();
    await page.waitForFunction(() => document.title === 'Baton');
    expect((await now(agent)).state).toBe('awaiting_input');
  });

  it('the agent exits only after the operator has approved the document on the page', async () => {
    const agent = await baton.agent();
    await cardOf(agent).waitFor();
    const dialog = await choose(agent, /^Hand over…/);
    await dialog.getByLabel(/^Note/).fill('Mind the printer.');
    await dialog.getByLabel(/Review the document first/).check();
    await dialog.getByRole('button', { name: 'Start handoff' }).click();
    await cardOf(agent)
      .getByRole('link', { name: /^Handoff \d+/ })
      .click();
    const approve = page.getByRole('button', { name: 'Approve document' });
    await approve.waitFor();
    const document = page.getByRole('group', { name: 'Rendered document' });
    await document.getByText('What I was working on').waitFor();
    expect(await document.textContent()).not.toContain('handoff-end');
    const size = page.viewportSize();
    await page.setViewportSize({ width: 1440, height: 300 });
    await page.getByRole('button', { name: /^Show whole document of handoff \d+$/ }).click();
    await expect.poll(() => document.evaluate((region) => region.scrollHeight - region.clientHeight)).toBe(0);
    if (size !== null) await page.setViewportSize(size);
    await page.getByRole('main').getByText('Mind the printer.').first().waitFor();
    expect(await now(agent)).toMatchObject({ ended_at: null });
    await approve.click();
    await page
      .getByRole('region', { name: "Successor's acknowledgment" })
      .getByText('it read the document to its end')
      .waitFor();
    const { run_id, ended_at } = { ...(await now(agent)), run_id: Number(/\d+$/.exec(page.url())?.[0]) };
    expect(ended_at).not.toBeNull();
    expect(await baton.get<Run>(`/api/runs/${run_id}`)).toMatchObject({ review: 'approved', acknowledged: true });
  });

  it('when the operator lowers the handoff threshold, an open page shows the Handoff button without a reload', async () => {
    const agent = await baton.agent();
    await say(agent, 'Work. [[practice:context 52]]');
    const settings = await openPage(browser, baton);
    const button = cardOf(agent).getByRole('button', { name: /^Handoff/ });
    await cardOf(agent).getByText('52 %').waitFor();
    expect(await button.count()).toBe(0);
    await goTo(settings.page, '/settings');
    const set = async (percent: string): Promise<void> => {
      await settings.page.getByLabel('Suggest a handoff at').fill(percent);
      await settings.page.getByRole('button', { name: 'Save handoff threshold' }).click();
      await toast(settings.page, `Handoffs are suggested at ${percent} %.`).waitFor();
    };
    await set('40');
    await button.waitFor();
    await set('90');
    await button.waitFor({ state: 'detached' });
    await settings.page.getByRole('button', { name: 'Reset to default' }).click();
    await toast(settings.page, 'The handoff threshold is reset to the default.').waitFor();
    expect(settings.troubles).toEqual([]);
    await settings.context.close();
  });

  it('if a skill file changed on disk while the operator edited the skill, the page does not overwrite the file', async () => {
    const { body: persona } = await baton.call<Persona>('POST', '/api/personas/register', {
      role: 'writer',
      name: 'Wren',
    });
    const { folder } = await baton.get<PersonaDetail>(`/api/personas/${persona.slug}`);
    const file = join(folder, 'skill.md');
    await goTo(page, `/personas/${persona.slug}`);
    const editor = page.getByLabel('skill.md', { exact: true });
    const tab = page.getByRole('tab', { name: /^Skill/ });
    await editor.fill('# Wren\n\nWrite short sentences.');
    await tab.getByText('unsaved').waitFor();
    await page.getByRole('group', { name: 'Preview of skill.md' }).getByText('Write short sentences.').waitFor();
    await page.getByRole('button', { name: 'Save skill.md' }).click();
    await tab.getByText('unsaved').waitFor({ state: 'detached' });
    expect(readFileSync(file, 'utf8')).toBe('# Wren\n\nWrite short sentences.');

    await editor.fill('# Wren\n\nMine.');
    // Replace the file in one step, because the page may load the file at any moment and must never load an empty file.
    writeFileSync(`${file}.new`, '# Wren\n\nTheirs.');
    renameSync(`${file}.new`, file);
    await page.keyboard.press('Control+s');
    await page.getByRole('heading', { name: /Someone else changed/ }).waitFor();
    expect(readFileSync(file, 'utf8')).toBe('# Wren\n\nTheirs.');
    await page.getByRole('button', { name: 'Load theirs, keep mine to compare' }).click();
    expect(await editor.inputValue()).toBe('# Wren\n\nTheirs.');
    await page.getByRole('button', { name: 'Restore to editor' }).click();
    expect(await editor.inputValue()).toBe('# Wren\n\nMine.');
    await page.getByRole('button', { name: 'Save skill.md' }).click();
    await tab.getByText('unsaved').waitFor({ state: 'detached' });
    expect(readFileSync(file, 'utf8')).toBe('# Wren\n\nMine.');
  });
});
