import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchChromium } from '../../../scripts/bench/chromium.mjs';
import type { Agent, InboxItem, Persona, PersonaDetail } from '../../../src/contract/resources.ts';
import { BatonProcess } from '../../support/baton-process.ts';
import { goTo } from '../support/alive.ts';
import { findings } from '../support/axe.ts';
import { openPage, toast, type Watched } from '../support/browser.ts';
import { badButtonNames } from '../support/button-names.ts';

describe('the agent types of a persona, and the Handoff button of inbox items', () => {
  const baton = new BatonProcess({ handoff_at_percent: 20 });
  let browser: Browser;
  let watched: Watched;
  let page: Page;
  beforeAll(async () => {
    await baton.start();
    browser = await launchChromium();
  });
  beforeEach(async () => {
    watched = await openPage(browser, baton);
    page = watched.page;
  });
  afterEach(async () => {
    const { troubles, context } = watched;
    await context.close();
    // Ignore status 400 in the browser's console, because the tests also send requests that the server refuses.
    expect(troubles.filter((each) => !each.includes('status of 400'))).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await baton.cleanUp();
  });

  const persona = async (): Promise<Persona> =>
    (await baton.call<Persona>('POST', '/api/personas/register', { role: 'developer', name: 'Con' })).body;
  const stored = async ({ slug }: Persona) => (await baton.get<PersonaDetail>(`/api/personas/${slug}`)).runs_on;
  const openTypes = async ({ slug }: Persona): Promise<void> => {
    await goTo(page, `/personas/${slug}`);
    await page.getByRole('tab', { name: 'Agent types' }).click();
    await page.getByRole('button', { name: /^Add agent type/ }).waitFor();
  };
  const choice = (number: number) => page.getByRole('group', { name: `Choice ${number}` });
  const button = (name: RegExp) => page.getByRole('button', { name });
  /**
   * Waits until the page shows the saved list. The page then replaces all rows, so a button that was found before may
   * belong to another row afterwards.
   */
  const saved = (): Promise<void> => button(/^Discard changes/).waitFor({ state: 'detached' });
  const save = async (): Promise<void> => {
    await button(/^Save agent types/).click();
    await saved();
    await toast(page, /The agent types of Con were saved/).waitFor();
  };

  it('the operator can add, reorder and remove agent types on the page of a persona', async () => {
    const con = await persona();
    await openTypes(con);
    await button(/^Add agent type/).click();
    await choice(1).getByLabel('Agent type').selectOption('claude-code');
    await choice(1).getByLabel('Model (optional)').fill('opus');
    await choice(1).getByLabel('Arguments (optional)').fill('--verbose\n--debug');
    await button(/^Add agent type/).click();
    await choice(2).getByLabel('Agent type').selectOption('codex');
    await choice(2).getByLabel('Model (optional)').fill('two words');
    await button(/^Save agent types/).click();
    await page.getByRole('alert').filter({ hasText: '"two words" is not the name of a model' }).waitFor();
    expect(await stored(con)).toEqual([]);
    await choice(2).getByLabel('Model (optional)').fill('');
    expect(await findings(page)).toEqual([]);
    expect((await badButtonNames(page)).problems).toEqual([]);
    await save();
    const claude = { runtime: 'claude-code', model: 'opus', stored_args: 2 };
    expect(await stored(con)).toEqual([claude, { runtime: 'codex' }]);

    await button(/^Move down choice 1 of Con/).press('Enter');
    await page.getByRole('status').filter({ hasText: 'Claude Code is now choice 2 of 2.' }).waitFor();
    // The row is now the last row, so its button "Move down" is disabled. The focus must move to the button "Move up"
    // of the same row.
    await page.waitForFunction(() =>
      document.activeElement?.getAttribute('aria-label')?.startsWith('Move up choice 2'),
    );
    await choice(2).getByText('Keeps 2 stored arguments.').waitFor();
    await save();
    expect(await stored(con)).toEqual([{ runtime: 'codex' }, claude]);

    await button(/^Remove choice 1 of Con/).click();
    await save();
    expect(await stored(con)).toEqual([claude]);
  });

  it('a list of agent types cannot be changed while it is being saved, and shows the saved order afterwards', async () => {
    const con = await persona();
    await baton.call('POST', `/api/personas/${con.slug}/edit`, {
      runs_on: [{ runtime: 'claude-code' }, { runtime: 'codex' }],
    });
    await openTypes(con);
    await button(/^Move down choice 1 of Con/).click();
    let answer = (): void => undefined;
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(`**/api/personas/${con.slug}/edit`, async (route) => {
      const response = await route.fetch();
      await isAnswered;
      await route.fulfill({ response });
    });
    await button(/^Save agent types/).click();
    await expect.poll(() => stored(con)).toEqual([{ runtime: 'codex' }, { runtime: 'claude-code' }]);
    for (const name of [/^Remove choice 1/, /^Move up choice 2/, /^Add agent type/, /^Discard changes/])
      expect(await button(name).isDisabled(), String(name)).toBe(true);
    answer();
    await saved();
    await button(/^Remove choice 1 of Con .*: Codex/).click();
    await save();
    expect(await stored(con)).toEqual([{ runtime: 'claude-code' }]);
  });

  it('if a list of agent types changed elsewhere while the operator edited the list, the page does not overwrite the change', async () => {
    const con = await persona();
    await openTypes(con);
    await button(/^Add agent type/).click();
    await baton.call('POST', `/api/personas/${con.slug}/edit`, { runs_on: [{ runtime: 'opencode' }] });
    await button(/^Save agent types/).click();
    await page.getByRole('alert').filter({ hasText: 'was changed elsewhere meanwhile' }).waitFor();
    expect(await stored(con)).toEqual([{ runtime: 'opencode' }]);
  });

  it('the inbox item about an automatic handoff that waits for a person has the Handoff button and no message box', async () => {
    const agent = await baton.agent();
    await baton.call('POST', `/api/personas/${agent.persona?.slug}/handoff-policy`, {
      policy: { mode: 'auto', idle_seconds: 0, countdown_seconds: 2, in_quiet_hours: false },
    });
    const [from, to] = [23, 27].map((later) => `${String((new Date().getHours() + later) % 24).padStart(2, '0')}:00`);
    await baton.call('POST', '/api/settings', { quiet_hours: { from, to } });
    await baton.call('POST', `/api/agents/${agent.id}/messages`, { text: 'Do the next step of PLAN.md.' });
    await baton.event(({ agent_id, type }) => agent_id === agent.id && type === 'auto_handoff_held');
    await goTo(page, '/inbox');
    const item = page.getByRole('listitem').filter({ hasText: /^.*Baton does not hand off/ });
    await item.getByRole('button', { name: `Handoff: Con, agent ${agent.id}` }).waitFor();
    expect(await item.getByRole('textbox').count()).toBe(0);
    expect((await baton.get<{ items: InboxItem[] }>('/api/inbox')).items.flatMap(({ offers }) => offers)).toContain(
      'handoff',
    );
    await item.getByRole('button', { name: /^Handoff: Con/ }).click();
    await baton.event(({ agent_id, type }) => agent_id === agent.id && type === 'handoff_progress');
    const { run_id } = await baton.get<Agent>(`/api/agents/${agent.id}`);
    if (run_id !== null) await baton.over(run_id);
  });
});
