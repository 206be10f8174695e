import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { launchChromium } from '../../scripts/bench/chromium.mjs';
import type { PackageInput } from '../../src/contract/packages/package.ts';
import type { PackageList } from '../../src/contract/packages/package-resources.ts';
import type { Agent } from '../../src/contract/resources.ts';
import { PackageProcess, type Told } from '../e2e/packages/package-process.ts';
import { goTo } from './support/alive.ts';
import { seriousFindings, tooWide } from './support/axe.ts';
import { openPage, type Watched } from './support/browser.ts';

/**
 * Tests how the operator writes packages, with a real browser, the real server, and agents with the roles of
 * specification 004.
 */
let scene: PackageProcess;
let browser: Browser;
let watched: Watched;
let page: Page;
let estimation: Agent;
beforeAll(async () => {
  scene = await new PackageProcess().begin();
  const story = join(scene.projectPath, '.project/02-requirements/user-stories/US-001.md');
  mkdirSync(dirname(story), { recursive: true });
  writeFileSync(story, '# As the seed says\n');
  await scene.addAgent('architecture', 'Ada');
  await scene.addAgent('security-check', 'Sam');
  estimation = await scene.addAgent('estimation', 'Eli');
  browser = await launchChromium();
  watched = await openPage(browser, scene.baton);
  ({ page } = watched);
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await scene.baton.cleanUp();
});

const fixture = (name: string): string =>
  new URL(`../fixtures/packages/seed-004/${name}.yaml`, import.meta.url).pathname;
const printed = (name: string): string => readFileSync(fixture(name), 'utf8');
/**
 * Replaces the sender's name in an example of specification 004, because the operator cannot send in the name of an
 * agent.
 */
const sentBy = (name: string, text: string): string => text.replace(/(from:\n +agent: )\S+/, `$1${name}`);
const all = async (): Promise<string[]> =>
  (await scene.call<PackageList>('operator', 'GET', '?limit=200')).body.packages.map(({ id }) => id);
const now = async (id: string): Promise<Told> => (await scene.call('operator', 'GET', `/${id}`)).body;
const text = (on = page): Locator => on.getByLabel('Package', { exact: true });
const press = (name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();
/** Waits until the page shows a package, and returns the id of this package. */
const arrived = async (): Promise<string> => {
  const title = page.getByRole('heading', { level: 1, name: /^HO-/ });
  await title.waitFor();
  return (await title.textContent()) ?? '';
};
/** Opens the page for a new package and switches from the form to the text field. */
const openText = async (on = page): Promise<void> => {
  await goTo(on, '/packages/new');
  await on.getByRole('button', { name: 'As text' }).click();
};
beforeEach(async () => {
  await openText();
  await text().fill('');
});

describe('the form for a new package', () => {
  it("[004 Sequential (Workflow)] the form for a new package sends the operator's entries, and shows each lint finding at its form field", async () => {
    await press('In a form');
    await press('Submit package');
    const found = page.getByRole('region', { name: 'Check results' });
    await found.getByRole('status').filter({ hasText: 'Not submitted' }).waitFor();
    await found.getByText('Expected result: Fill in this field.').waitFor();
    await found.getByText('To: Choose a receiver.').waitFor();
    expect(await found.getByRole('listitem').count()).toBe(4);
    expect(await page.locator('[aria-invalid=true]').count()).toBe(4);
    expect(await found.getByText('/handoff/').count()).toBe(0);
    await page.getByLabel('To', { exact: true }).selectOption({ label: 'Ann · reviewer · reviewer-ann-2' });
    await page.getByLabel('Why this agent').fill('Ann reviewed the API in March');
    await page.getByLabel('What the agent should know').fill('docs/api.md has 12 endpoints: 3 without a test');
    await page.getByLabel(/^Files/).fill('docs/api.md\n\n');
    await page.getByLabel('Expected result').fill('docs/risks.md with the 3 biggest risks');
    await page.getByLabel(/^Done when/).fill('docs/risks.md exists\ndocs/risks.md names 3 risks');
    await page.getByLabel(/^Ask for my approval.*Baton does not hold the work back/).check();
    await goTo(page, '/settings');
    await page.reload();
    await goTo(page, '/packages/new');
    expect(await page.getByLabel('Why this agent').inputValue()).toBe('Ann reviewed the API in March');
    await press('Check package');
    await found.getByRole('status').filter({ hasText: 'Ready to submit' }).waitFor();
    await press('Submit package');
    const made = (await now(await arrived())) as Told & { package: PackageInput };
    expect(made).toMatchObject({ state: 'pending', type: 'sequential', from: 'human', to: 'reviewer-ann-2' });
    expect(made.package).toMatchObject({
      to: { reason: 'Ann reviewed the API in March' },
      context: { artifacts: [{ path: 'docs/api.md', role: 'referenced' }] },
      expectations: { deliverable: 'docs/risks.md with the 3 biggest risks', success_criteria: { length: 2 } },
    });
    expect(JSON.stringify(made.package.expectations?.constraints)).toContain('Send a blocking gate to human');
  });

  it('the form for a new package can be switched to text, and is empty again after the text is discarded', async () => {
    await press('In a form');
    await page.getByLabel('Expected result').fill('docs/risks.md: "yes"');
    await press('As text');
    expect(parse(await text().inputValue())).toMatchObject({
      handoff: { expectations: { deliverable: 'docs/risks.md: "yes"' } },
    });
    await press('In a form');
    await page.getByRole('dialog').getByRole('button', { name: 'Discard text' }).click();
    expect(await page.getByLabel('Expected result').inputValue()).toBe('');
  });
});

describe('sending a package from the page', () => {
  it('[004 Delegation (Specialist)] a refused package can be corrected and sent again', async () => {
    await goTo(page, '/packages');
    await press('New package');
    await page.getByRole('heading', { level: 1, name: 'New package' }).waitFor();
    await press('As text');
    expect(await page.getByLabel('Project').inputValue()).toBe(String(scene.projectId));
    await page.getByText(scene.projectPath, { exact: true }).waitFor();
    await text().fill(printed('delegation'));
    await press('Submit package');
    const told = page.getByRole('alert').filter({ hasText: 'This package is from architecture' });
    await told.waitFor();
    expect(await told.textContent()).toContain('from human or orchestrator. Write "from: { agent: human }", or let');
    expect(await text().inputValue()).toBe(printed('delegation'));
    await goTo(page, '/settings');
    await page.reload();
    await openText();
    expect(await text().inputValue()).toBe(printed('delegation'));
    await text().fill(sentBy('human', printed('delegation')));
    await press('Submit package');
    const id = await arrived();
    expect(await now(id)).toMatchObject({ state: 'pending', type: 'delegation', from: 'human', to: 'security-check' });
    await page.getByRole('region', { name: 'Content' }).getByText('Risk report on proposed architecture').waitFor();
    await openText();
    expect(await text().inputValue()).toBe('');
  });

  it('[004 Sequential (Workflow)] the operator can send a package by dropping a package file on the page', async () => {
    const given = sentBy('orchestrator', printed('sequential'));
    const transfer = await page.evaluateHandle((content) => {
      const data = new DataTransfer();
      data.items.add(new File([content], 'sequential.yaml'));
      return data;
    }, given);
    await text().dispatchEvent('drop', { dataTransfer: transfer });
    await expect.poll(() => text().inputValue()).toBe(given);
    await text().press('Control+Enter');
    expect(await now(await arrived())).toMatchObject({
      state: 'pending',
      type: 'sequential',
      from: 'orchestrator',
      to: 'architecture',
    });
  });

  it('[004 Escalation (Human)] on the page, a person can decide about the example escalation of the specification', async () => {
    const { body } = await scene.create(parse(printed('escalation')), estimation);
    await goTo(page, `/packages/${body.id}`);
    const content = page.getByRole('region', { name: 'Content' });
    await content.getByText('What is the priority: time-to-market or maintainability?').waitFor();
    await content.getByText('Choice between approach A (fast, debt) or B (robust, long)').waitFor();
    await content.getByText('Validated choice with justification').waitFor();
    const form = page.getByRole('region', { name: `Decide ${body.id}` });
    await form.getByRole('radio', { name: /^Approve/ }).check();
    await form.getByLabel('Your choice').fill('B');
    await form.getByRole('button', { name: `Approve package: ${body.id}` }).click();
    await page.getByText(/^Approved by operator in the page at /).waitFor();
    expect(await now(body.id)).toMatchObject({ state: 'completed', decision: { choice: 'B' } });
  });

  it('a double click creates only one package', async () => {
    const before = await all();
    await text().fill(sentBy('human', printed('delegation')));
    await page.getByRole('button', { name: 'Submit package', exact: true }).dblclick();
    const first = await arrived();
    expect(await all()).toEqual([first, ...before]);

    await openText();
    await text().fill(sentBy('human', printed('delegation')));
    const isCreate = (url: URL): boolean => url.pathname === '/api/packages';
    await page.route(isCreate, async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      await route.fetch();
      await route.abort();
    });
    await press('Submit package');
    await page.getByRole('alert').filter({ hasText: 'Baton does not answer' }).waitFor();
    await page.unroute(isCreate);
    const [made, ...others] = await all();
    expect(others).toEqual([first, ...before]);
    await page.reload();
    expect(await text().inputValue()).toBe(sentBy('human', printed('delegation')));
    await press('Submit package');
    expect(await arrived()).toBe(made);
    expect(await all()).toEqual([made, ...others]);
  });
});

describe('a package with errors on the page for a new package', () => {
  const VAGUE = sentBy('orchestrator', printed('delegation')).replace('No unaddressed critical risks', 'TBD');
  const line = VAGUE.split('\n').findIndex((each) => each.includes('TBD')) + 1;
  const found = (): Locator => page.getByRole('region', { name: 'Check results' });

  it('[004 Measurable Success Criteria] for a faulty package, the page shows each finding with its line and its remedy', async () => {
    const before = await all();
    await text().fill(VAGUE);
    await press('Check package');
    await found().getByRole('status').filter({ hasText: 'Not ready to submit: 1 error' }).waitFor();
    const note = found().locator('[data-finding=HP005]');
    expect(await note.getAttribute('data-severity')).toBe('error');
    await note.getByText('/handoff/expectations/success_criteria/0').waitFor();
    await note.getByRole('button', { name: `Show line ${line}` }).click();
    const selected = await text().evaluate((field: HTMLTextAreaElement) =>
      field.value.slice(field.selectionStart, field.selectionEnd),
    );
    expect([selected.trim(), await text().evaluate((field) => field === document.activeElement)]).toEqual([
      '- "TBD"',
      true,
    ]);
    await press('Submit package');
    await found().getByRole('status').filter({ hasText: 'Not submitted: 1 error' }).waitFor();
    expect([await text().inputValue(), await all()]).toEqual([VAGUE, before]);
    await text().fill(sentBy('orchestrator', printed('delegation')));
    await found().getByText('The text has changed since this check.').waitFor();
    await press('Check package');
    await found().getByRole('status').filter({ hasText: 'Ready to submit' }).waitFor();
    expect(await all()).toEqual(before);
  });

  it('[package P13] a faulty package can be sealed after a person has waived the finding', async () => {
    await text().fill(VAGUE);
    await press('Save draft');
    const id = await arrived();
    expect(await now(id)).toMatchObject({ state: 'draft', from: 'orchestrator' });
    await page.getByRole('button', { name: 'Override HP005' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason for override').fill('A spike that is thrown away');
    await dialog.getByLabel('Until').fill('2099-01-01');
    await dialog.getByRole('button', { name: 'Override error' }).click();
    await page.locator('[data-finding=HP005]').waitFor({ state: 'detached' });
    await press(`Submit package ${id}`);
    await expect.poll(async () => (await now(id)).state).toBe('pending');
    await openText();
    expect(await text().inputValue()).toBe('');
  });

  it('[package P2] the page shows the line of the error if a package is not valid YAML', async () => {
    await text().fill('handoff:\n\tfrom: human');
    await press('Check package');
    await found().locator('[data-finding=HP001]').getByRole('button', { name: 'Show line 2' }).waitFor();
    const choose = async (): Promise<void> => {
      const chooser = page.waitForEvent('filechooser');
      await press('Choose file…');
      await (await chooser).setFiles(fixture('return'));
    };
    await choose();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect(await text().inputValue()).toBe('handoff:\n\tfrom: human');
    await choose();
    await page.getByRole('dialog').getByRole('button', { name: 'Replace text' }).click();
    await expect.poll(() => text().inputValue()).toBe(printed('return'));
  });
});

describe('the page for a new package', () => {
  for (const [name, look] of [
    ['light', { colorScheme: 'light', viewport: { width: 1280, height: 800 } }],
    ['dark', { colorScheme: 'dark', viewport: { width: 1280, height: 800 } }],
    ['on a phone', { colorScheme: 'light', viewport: { width: 390, height: 844 } }],
  ] as const)
    it(`axe finds no serious or critical problem on the page for a new package, ${name}`, async () => {
      const { page: own, troubles, context } = await openPage(browser, scene.baton, look);
      await goTo(own, '/packages/new');
      await own.getByRole('button', { name: 'Check package', exact: true }).click();
      await own.getByRole('status').filter({ hasText: 'Not ready to submit' }).waitFor();
      expect(await seriousFindings(own)).toEqual([]);
      expect(await tooWide(own)).toBe(0);
      await openText(own);
      for (const given of ['', printed('delegation'), printed('structure').replace('"[agent-id]"', 'human')]) {
        await text(own).fill(given);
        await own.getByRole('button', { name: 'Check package', exact: true }).click();
        await own.getByRole('button', { name: 'Check package', exact: true, disabled: false }).waitFor();
        expect(await seriousFindings(own)).toEqual([]);
        expect(await tooWide(own)).toBe(0);
      }
      expect(troubles).toEqual([]);
      await context.close();
    });

  it('after the check of a package, the Check button still has the keyboard focus', async () => {
    await goTo(page, '/packages/new');
    const check = page.getByRole('button', { name: 'Check package' });
    await check.focus();
    await page.keyboard.press('Enter');
    await page.getByText('Not ready to submit').waitFor();
    await expect.poll(() => check.evaluate((button) => button === document.activeElement)).toBe(true);
  });

  it('the page for a new package logs no errors to the browser console', () => {
    expect(watched.troubles).toEqual([]);
  });
});
