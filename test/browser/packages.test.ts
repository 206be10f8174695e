import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../../scripts/bench/chromium.mjs';
import type { PackageReport } from '../../src/contract/packages/package-resources.ts';
import { PackageProcess, type Told } from '../e2e/packages/package-process.ts';
import { delegation, full, gatePackage } from '../surfaces/http/packages/package-scene.ts';
import { goTo } from './support/alive.ts';
import { seriousFindings, tooWide } from './support/axe.ts';
import { openPage, toast, type Watched } from './support/browser.ts';

/** Tests how a person views packages and decides on them, with the real server, real agents and a real browser. */
let scene: PackageProcess;
let browser: Browser;
let watched: Watched;
let page: Page;
beforeAll(async () => {
  scene = await new PackageProcess().begin();
  browser = await launchChromium();
  watched = await openPage(browser, scene.baton);
  ({ page } = watched);
});
afterAll(async () => {
  await browser?.close();
  await scene.baton.cleanUp();
});

const made = async (given: unknown, by: 'con' | 'operator' = 'con'): Promise<Told> => {
  const { status, body } = await scene.create(given, by === 'con' ? scene.con : 'operator');
  expect([status, body.error]).toEqual([201, undefined]);
  return body;
};
const gate = (): Promise<Told> => made(gatePackage());
const now = async ({ id }: Pick<Told, 'id'>): Promise<Told> => (await scene.call('operator', 'GET', `/${id}`)).body;
const decision = (within: Page | Locator, { id }: Pick<Told, 'id'>): Locator =>
  within.getByRole('region', { name: `Decide ${id}` });
const button = (form: Locator, name: string | RegExp): Locator => form.getByRole('button', { name, exact: true });
/** Opens the form of a package in the inbox. An inbox with more than five packages folds the forms at first. */
async function unfold(on: Page, { id }: Pick<Told, 'id'>): Promise<void> {
  const folded = on.getByRole('button', { name: `Read and decide: ${id}` });
  await folded.or(decision(on, { id })).waitFor();
  if (await folded.isVisible()) await folded.click();
  await decision(on, { id }).waitFor();
}
const state = (words: string): Locator => page.locator('main').getByText(words, { exact: true }).first();
const write = (text: string): void => writeFileSync(join(scene.projectPath, 'docs/api.md'), text);
const SEALED = '# API\n12 endpoints\n';

/** Holds back the page's requests to a path until the test releases them. */
async function held(on: Page, path: string, which: (asked: URLSearchParams) => boolean = () => true) {
  const isHeld = (url: URL): boolean => url.pathname === path && which(url.searchParams);
  let release = (): void => undefined;
  let tell = (): void => undefined;
  const free = new Promise<void>((resolve) => {
    release = resolve;
  });
  const asked = new Promise<void>((resolve) => {
    tell = resolve;
  });
  await on.route(isHeld, async (route) => {
    tell();
    await free;
    // Ignore the error: the page may have aborted the request meanwhile.
    await route.continue().catch(() => undefined);
  });
  return {
    asked,
    release: async () => {
      release();
      await on.unroute(isHeld);
    },
  };
}

describe('the list of packages on the page', () => {
  it('the list of packages shows the newest package first and updates without a reload', async () => {
    const one = await made(delegation());
    const other = await gate();
    await page.getByRole('navigation').getByRole('link', { name: 'Packages' }).click();
    const rows = page.getByRole('list', { name: 'Packages' }).getByRole('listitem');
    await rows.first().filter({ hasText: other.id }).waitFor();
    expect(await rows.nth(1).textContent()).toContain(one.id);
    const third = await gate();
    await rows.first().filter({ hasText: third.id }).waitFor();
    await page.getByLabel('Type').selectOption('delegation');
    await rows.filter({ hasText: other.id }).waitFor({ state: 'detached' });
    expect(await rows.count()).toBe(1);
    await page.getByLabel('Search text').fill('no such words');
    await page.getByText('No matching packages').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByLabel('From or to').selectOption('reviewer-ann-2');
    await rows.filter({ hasText: other.id }).waitFor({ state: 'detached' });
    await page.getByLabel('From or to').selectOption('');
    await page.getByLabel('State').selectOption('accepted');
    await rows.filter({ hasText: one.id }).waitFor({ state: 'detached' });
    await page.getByLabel('State').selectOption('pending');
    await rows.filter({ hasText: one.id }).waitFor();
    await scene.call('operator', 'POST', `/${third.id}/cancel`, {});
    await rows.filter({ hasText: third.id }).waitFor({ state: 'detached' });
    await rows.filter({ hasText: other.id }).getByRole('link').click();
    await page.getByRole('heading', { level: 1, name: other.id }).waitFor();
  });

  const draft = async (): Promise<string> => {
    const { status, body } = await scene.call('operator', 'POST', '', {
      package: { ...delegation(), from: { agent: 'human' } },
      project_id: scene.projectId,
      seal: false,
    });
    expect(status).toBe(201);
    return body.id;
  };

  it('older packages can be loaded even while the list of packages changes', async () => {
    for (let n = 0; n < 52; n++) await draft();
    await goTo(page, '/packages');
    const rows = page.getByRole('list', { name: 'Packages' }).getByRole('listitem');
    const older = page.getByRole('button', { name: 'Show older packages' });
    await older.waitFor();
    // The test holds back the list of drafts. Until the list arrives, the old rows remain, but the "Show older
    // packages" button must be gone.
    const drafts = await held(page, '/api/packages', (url) => url.get('state') === 'draft' && !url.has('before'));
    await page.getByLabel('State').selectOption('draft');
    await older.waitFor({ state: 'detached' });
    expect(await rows.count()).toBe(50);
    await drafts.release();
    await older.waitFor();
    expect(await rows.count()).toBe(50);
    // Create a new package while older packages load, so that the page requests the list a second time.
    const olderOnes = await held(page, '/api/packages', (url) => url.has('before'));
    await older.click();
    await olderOnes.asked;
    await rows
      .first()
      .filter({ hasText: await draft() })
      .waitFor();
    await olderOnes.release();
    await expect.poll(() => rows.count()).toBe(53);
    expect(await older.count()).toBe(0);
  });

  it('the card of an agent with waiting packages links to the list of packages', async () => {
    await goTo(page, '/');
    await page
      .getByRole('article', { name: /agent 2$/ })
      .getByRole('link', { name: /packages? waiting/ })
      // If the cards move between pressing and releasing the mouse button, the click gets lost.
      .press('Enter');
    await page.getByLabel('From or to').waitFor();
    expect(await page.getByLabel('From or to').inputValue()).toBe('reviewer-ann-2');
  });
});

describe('the page of a package', () => {
  it('[package P12] the page of a package shows each lint finding at its field', async () => {
    const { expectations } = delegation();
    const one = await made(
      delegation({ expectations: { ...expectations, constraints: ['Only the architecture', 'Answer quickly'] } }),
    );
    await goTo(page, `/packages/${one.id}`);
    const at = (place: string): Locator => page.locator(`[data-place="${place}"]`);
    await at('/context/summary').getByText('API architecture defined in docs/api.md').waitFor();
    await at('/expectations/constraints/1').locator('[data-finding=HP401]').waitFor();
    expect(await at('/expectations/constraints/0').locator('[data-finding]').count()).toBe(0);
    const content = page.getByRole('region', { name: 'Content' });
    expect(await content.locator('[data-finding]').count()).toBe(one.findings?.length);
    await content.getByText('Unchanged').waitFor();
    write('# API\n13 endpoints\n');
    await page.getByRole('button', { name: 'Check again' }).click();
    await content.getByText('Changed since submitted').waitFor();
    const live = page.getByRole('region', { name: 'Live check' });
    await live.getByText('HP902').waitFor();
    await live.getByText('Constraint K-001 is vague').waitFor();
    expect(await live.getByText('Constraint K-002 is vague').count()).toBe(0);
    write(SEALED);
  });

  it('changes of a package appear on the page without a reload', async () => {
    const one = await made(delegation());
    await goTo(page, `/packages/${one.id}`);
    await scene.call(scene.ann, 'POST', `/${one.id}/receive`, {});
    await state('Read').waitFor();
    const questions = ['Which endpoints are public?'];
    await scene.call(scene.ann, 'POST', `/${one.id}/ask`, { questions });
    // The page must let a person answer the question even while the sender is alive and could answer it.
    const answering = page.getByRole('region', { name: `Answer ${one.id}` });
    await answering.getByText('can still answer').waitFor();
    await button(answering, `Send answer about ${one.id}`).click();
    await answering.getByText('Write an answer before you send it.').waitFor();
    await answering.getByLabel(/Which endpoints are public/).fill('Those under /open.');
    await button(answering, `Send answer about ${one.id}`).click();
    const rounds = page.getByRole('region', { name: 'Questions and answers' });
    await rounds.getByText('Those under /open.').waitFor();
    await rounds.getByText('answered by a person').waitFor();
    await scene.call(scene.ann, 'POST', `/${one.id}/receive`, {});
    await scene.call(scene.ann, 'POST', `/${one.id}/ack`, full('List what could leak'));
    const understood = page.getByRole('region', { name: 'Task as sent and as understood' });
    await understood.getByText('List what could leak').waitFor();
    expect(await understood.textContent()).toContain('Risk report on the 12 endpoints');
    const chain = page.getByRole('region', { name: 'Related packages' });
    await chain.getByText(/^Con.* is waiting for Ann.* to return/).waitFor();
    const way = page.getByRole('region', { name: 'History', exact: true });
    await way.getByText(`${one.id} was accepted: “List what could leak”`).waitFor();
    await page.getByRole('tab', { name: 'JSON' }).click();
    await page
      .getByRole('group', { name: `${one.id} as JSON` })
      .getByText('"protocol": "handoff/1"')
      .waitFor();
  });

  it('the page asks for confirmation before a package is cancelled, and offers to undo the cancellation', async () => {
    const one = await gate();
    await goTo(page, `/packages/${one.id}`);
    await page.getByRole('button', { name: 'Cancel package…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Keep package' }).click();
    expect((await now(one)).state).toBe('pending');
    await page.getByRole('button', { name: 'Cancel package…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel package' }).click();
    await state('Canceled').waitFor();
    expect((await now(one)).state).toBe('cancelled');
    await page.getByRole('button', { name: `Undo cancellation of ${one.id}` }).waitFor();
    await toast(page, `${one.id} was canceled.`).getByRole('button', { name: 'Undo' }).click();
    await decision(page, one).waitFor();
    expect((await now(one)).state).toBe('pending');
  });

  it('[package P13] a person can waive an error of a draft with the button next to the error', async () => {
    const vague = delegation({ expectations: { deliverable: 'A report', success_criteria: ['TBD'] } });
    const { body: draft } = await scene.call(scene.con, 'POST', '', { package: vague, seal: false });
    await goTo(page, `/packages/${draft.id}`);
    const place = page.locator('[data-place="/expectations/success_criteria/0"]');
    await place.getByRole('button', { name: 'Override HP005' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason for override').fill('A spike that is thrown away');
    await dialog.getByLabel('Until').fill('2099-01-01');
    await dialog.getByRole('button', { name: 'Override error' }).click();
    await place.locator('[data-finding=HP005]').waitFor({ state: 'detached' });
    await page.getByRole('region', { name: 'Decision history' }).getByText('A spike that is thrown away').waitFor();
    expect((await scene.call<PackageReport>('operator', 'GET', `/${draft.id}/report`)).body.blocked).toBe(false);
  });

  it('[004 Escalation (Human)] on the page, a person can approve an escalation and name the chosen option', async () => {
    const escalation = {
      ...delegation({ expectations: { deliverable: 'A choice', success_criteria: ['1 of 2 options is named'] } }),
      to: { agent: 'human', reason: 'Two options exist' },
    };
    const one = await made({
      ...escalation,
      context: { ...escalation.context, open_questions: [{ question: 'JWT or sessions?', priority: 'high' }] },
    });
    await goTo(page, `/packages/${one.id}`);
    const form = decision(page, one);
    await form.getByRole('radio', { name: /^Approve/ }).check();
    await form.getByLabel('Your choice').fill('JWT');
    await button(form, /^Approve package: HO-/).click();
    await state('Completed').waitFor();
    await page.getByText('JWT', { exact: true }).first().waitFor();
    expect(await now(one)).toMatchObject({ decision: { choice: 'JWT' } });
  });

  it('if a package is unknown, the page says so', async () => {
    for (const id of ['HO-1999-001', '__proto__', '..%2F..%2Fapi', 'HO-2026-001%3Fx=1']) {
      await page.evaluate((to) => {
        location.hash = `#/packages/${to}`;
      }, id);
      await page
        .getByRole('alert')
        .filter({ hasText: /Page not found|no package/ })
        .waitFor();
    }
  });
});

describe('[004 Handoff to Human (Gate)] the decision about a gate', () => {
  it('[package P20] the decision form has no preselected option', async () => {
    const one = await gate();
    await goTo(page, `/packages/${one.id}`);
    const form = decision(page, one);
    await form.waitFor();
    expect(await form.getByRole('radio', { checked: true }).count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.closest('section[aria-label^="Decide"]') === null)).toBe(
      true,
    );
    await form.getByText('Continue with step 4').waitFor();
    await button(form, /^Send decision: HO-/).click();
    await form.getByRole('alert').filter({ hasText: 'Choose an option first' }).waitFor();
    await form.getByRole('radio', { name: /^Approve/ }).check();
    expect(await form.getByRole('checkbox', { checked: true }).count()).toBe(0);
    for (const label of [/^Comment/, /^Conditions/]) {
      await form.getByLabel(label).fill('fine');
      await form.getByLabel(label).press('Enter');
      await form.getByLabel(label).press('Control+Enter');
    }
    await form.getByRole('radio').first().press('Enter');
    await button(form, /^Approve package: HO-/).click();
    await form.getByRole('alert').filter({ hasText: 'Select the items that you approve' }).waitFor();
    expect(await now(one)).toMatchObject({ state: 'pending', decision: null, gate: { approved: [] } });

    await form.getByRole('checkbox').first().check();
    await button(form, /^Approve 1 of 2 items: HO-/).click();
    await form.getByText('1 of 2 items already approved').waitFor();
    expect(await now(one)).toMatchObject({ state: 'pending', gate: { approved: [0] } });
    await form.getByRole('radio', { name: /^Approve/ }).check();
    await form.getByLabel('JWT lifetime of 15 minutes is right').check();
    await form.getByLabel(/^Conditions/).fill('Only for the web client\n');
    await button(form, /^Approve package: HO-/).click();
    await page.getByText(/^Approved by operator in the page at /).waitFor();
    expect(await now(one)).toMatchObject({
      state: 'completed',
      decision: { option: 'approve', channel: 'page', conditions: ['fine', 'Only for the web client'] },
    });
    const decisions = page.getByRole('region', { name: 'Decision history' });
    await decisions.getByText('Only for the web client').waitFor();
    expect(await decisions.getByText(`Content hash: ${one.content_sha256}`).count()).toBe(2);
  });

  const item = ({ id }: Pick<Told, 'id'>, on = page): Locator =>
    on
      .getByRole('list', { name: 'Items that need you' })
      .locator('> li')
      .filter({ has: on.getByRole('link', { name: `Open ${id}` }) });

  it('[package P20] a rejection of a gate needs a reason', async () => {
    const one = await gate();
    const other = await openPage(browser, scene.baton);
    for (const each of [page, other.page]) await goTo(each, '/inbox');
    await item(one, other.page).waitFor();
    await item(one).getByText('Unchanged').waitFor();
    expect(await item(one).textContent()).toContain('The 12 endpoints are complete');
    const form = decision(item(one), one);
    await form.getByRole('radio', { name: /^Reject/ }).check();
    await button(form, /^Reject package: HO-/).click();
    await form.getByRole('alert').filter({ hasText: 'Enter the reason for the rejection.' }).waitFor();
    expect(await form.getByLabel('Reason for rejection').evaluate((box) => box === document.activeElement)).toBe(true);
    expect((await now(one)).state).toBe('pending');
    await form.getByLabel('Reason for rejection').fill('The lifetime is too long');
    await button(form, /^Reject package: HO-/).click();
    for (const each of [page, other.page]) {
      const settled = each.getByRole('region', { name: 'Recently resolved' });
      await settled.getByText(/^Rejected by operator in the page at /).waitFor();
      await item(one, each).waitFor({ state: 'detached' });
    }
    expect(await now(one)).toMatchObject({ state: 'rejected', cause: 'The lifetime is too long' });
    expect(other.troubles).toEqual([]);
    await other.context.close();
  });

  it('after a question about a gate was answered, the gate still needs a decision', async () => {
    const one = await gate();
    await goTo(page, '/inbox');
    const form = decision(item(one), one);
    await form.getByRole('radio', { name: /^Ask/ }).check();
    await form.getByLabel('Your question').fill('Who asked for 15 minutes?');
    await button(form, /^Send question: HO-/).click();
    await item(one).waitFor({ state: 'detached' });
    const asked = await now(one);
    expect([asked.state, asked.questions[0]?.text]).toEqual(['clarifying', 'Who asked for 15 minutes?']);
    const answers = [{ id: asked.questions[0]?.id, text: 'The security team.' }];
    await scene.call(scene.con, 'POST', `/${one.id}/answer`, { answers });
    await item(one).getByText('The security team.').waitFor();
    expect(await decision(item(one), one).getByRole('radio', { checked: true }).count()).toBe(0);
  });

  it('[package P21] if a package changes after the operator opened its page, a decision about the package is refused', async () => {
    write(SEALED);
    const one = await gate();
    await goTo(page, `/packages/${one.id}`);
    const form = decision(page, one);
    await form.getByRole('radio', { name: /^Approve/ }).check();
    await form.getByRole('button', { name: 'Select all 2 items' }).click();
    await form.getByLabel(/^Comment/).fill('As we said');
    await form.getByText('Show docs/api.md').waitFor();
    // Hold back the request for the new file texts. Even before these texts arrive, the page must clear the selected
    // option as soon as the page knows that the file has changed.
    const texts = await held(page, `/api/packages/${one.id}/contents`);
    write('# API\n14 endpoints\n');
    await button(form, /^Approve package: HO-/).click();
    const changed = form.getByRole('alert').filter({ hasText: 'This package changed after you opened it' });
    await changed.getByText('docs/api.md has changed').waitFor();
    expect(await form.getByRole('radio', { checked: true }).count()).toBe(0);
    expect(await form.getByText('Show docs/api.md').count()).toBe(0);
    await texts.asked;
    await texts.release();
    await form.getByText('docs/api.md: − as submitted, + as it is now').waitFor();
    expect(await now(one)).toMatchObject({ state: 'pending', decision: null });
    await page.getByRole('region', { name: 'Content' }).getByText('Changed since submitted').waitFor();
    await form.getByRole('radio', { name: /^Approve/ }).check();
    // The page must keep the comment in the form, but must clear the selection of items.
    expect(await form.getByLabel(/^Comment/).inputValue()).toBe('As we said');
    expect(await form.getByRole('checkbox', { checked: true }).count()).toBe(0);
    await form.getByRole('button', { name: 'Select all 2 items' }).click();
    await button(form, /^Approve package: HO-/).click();
    await page.getByText(/^Approved by operator in the page at /).waitFor();
    write(SEALED);
  });

  it('[package P20] a second decision about a gate is refused, and the page shows who decided first', async () => {
    const one = await gate();
    await goTo(page, `/packages/${one.id}`);
    const form = decision(page, one);
    await form.getByRole('radio', { name: /^Reject/ }).check();
    await form.getByLabel('Reason for rejection').fill('Not yet');
    // Answer the page's requests with the old state, so that the page still does not know of the approval when the
    // operator clicks Reject.
    const old = await now(one);
    await page.route(`**/api/packages/${one.id}`, (route) => route.fulfill({ json: old }));
    const { body } = await scene.call('operator', 'POST', `/${one.id}/decide`, { option: 'approve', seen: one.seen });
    expect(body.state).toBe('completed');
    await button(form, /^Reject package: HO-/).click();
    const told = page.getByRole('alert').filter({ hasText: `${one.id} was already decided by operator at` });
    await told.waitFor();
    await told.getByRole('button', { name: 'Dismiss' }).click();
    await page.unroute(`**/api/packages/${one.id}`);
    // Reload the page, because the page still shows the old state of the package.
    await page.reload();
    await page.getByText(/^Approved by operator on the command line at /).waitFor();
    expect((await now(one)).state).toBe('completed');
  });
});

describe('accessibility of packages', () => {
  it('a person can decide a gate with the keyboard alone', async () => {
    const one = await gate();
    await goTo(page, '/settings');
    const tabTo = async (name: RegExp): Promise<void> => {
      for (let n = 0; n < 150; n++) {
        await page.keyboard.press('Tab');
        const label = await page.evaluate(() => {
          const focused = document.activeElement;
          const labels = focused instanceof HTMLInputElement ? [...(focused.labels ?? [])] : [];
          return [...labels, focused].map((each) => each?.textContent ?? '').join(' ');
        });
        if (name.test(label)) return;
      }
      throw new Error(`the keyboard never came to ${name}`);
    };
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await tabTo(/^Packages$/);
    await page.keyboard.press('Enter');
    await page
      .getByRole('list', { name: 'Packages' })
      .getByRole('link', { name: new RegExp(one.id) })
      .waitFor();
    await tabTo(new RegExp(`^${one.id}`));
    await page.keyboard.press('Enter');
    const form = decision(page, one);
    await form.waitFor();
    await tabTo(/^Go to decision$/);
    await page.keyboard.press('Enter');
    await tabTo(/^Approve/);
    await page.keyboard.press('Space');
    await tabTo(/^The 12 endpoints are complete/);
    await page.keyboard.press('Space');
    await tabTo(/^JWT lifetime/);
    await page.keyboard.press('Space');
    await tabTo(/^Approve package$/);
    await page.keyboard.press('Enter');
    await page.getByText(/^Approved by operator in the page at /).waitFor();
  });

  for (const [name, look] of [
    ['light', { colorScheme: 'light', viewport: { width: 1280, height: 800 } }],
    ['dark', { colorScheme: 'dark', viewport: { width: 1280, height: 800 } }],
    ['on a phone', { colorScheme: 'light', viewport: { width: 390, height: 844 } }],
  ] as const)
    it(`axe finds no serious or critical problem on the pages of packages, ${name}`, async () => {
      const waiting = await gate();
      const vague = delegation({
        context: { summary: 'Done.' },
        expectations: { deliverable: 'x', success_criteria: ['good'] },
      });
      const { body: draft } = await scene.call(scene.con, 'POST', '', { package: vague, seal: false });
      const talked = await made(delegation());
      await scene.call(scene.ann, 'POST', `/${talked.id}/receive`, {});
      await scene.call(scene.ann, 'POST', `/${talked.id}/ack`, full());
      const { page: own, troubles, context } = await openPage(browser, scene.baton, look);
      const places = [
        '/packages',
        `/packages/${waiting.id}`,
        `/packages/${draft.id}`,
        `/packages/${talked.id}`,
        '/inbox',
      ];
      for (const path of places) {
        await goTo(own, path);
        if (path.endsWith(waiting.id)) {
          await decision(own, waiting).getByLabel('Approve').check();
          await button(decision(own, waiting), /^Approve package: HO-/).click();
          await decision(own, waiting).getByText('Select the items').waitFor();
        }
        if (path === '/inbox') await unfold(own, waiting);
        expect({ path, findings: await seriousFindings(own) }).toEqual({ path, findings: [] });
        expect({ path, tooWide: await tooWide(own) }).toEqual({ path, tooWide: 0 });
      }
      expect(troubles).toEqual([]);
      await context.close();
    });

  it('the pages of packages log no errors to the browser console', () => {
    expect(watched.troubles).toEqual([]);
  });
});
