import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../../scripts/bench/chromium.mjs';
import { plainDataProblem } from '../../src/domain/packages/content/plain-data.ts';
import { holdsSecret } from '../../src/domain/packages/lint/secrets.ts';
import { visible } from '../../src/surfaces/page/parts/markdown/visible-text.ts';
import { PackageProcess, type Told } from '../e2e/packages/package-process.ts';
import { delegation, gatePackage } from '../surfaces/http/packages/package-scene.ts';
import { goTo, plantCanaries } from './support/alive.ts';
import { tooWide } from './support/axe.ts';
import { openPage, type Watched } from './support/browser.ts';
import { PAYLOADS } from './support/hostile-corpus.ts';
import { expectInert } from './support/inert.ts';

const IMAGE = '<img src=x onerror=pwned(1)>';
const LINK = '[x](javascript:pwned(2)) javascript:pwned(2) <a href="javascript:pwned(2)">x</a>';
const HIDDEN = 'Approve\u202e evorppa \u2066\u200b\u200d\ufeff\u0085 z\u2028w';
const LONG = 'w'.repeat(1_500);
const ALL = [IMAGE, LINK, HIDDEN, LONG].join(' ');
const UNTIL = '2099-01-01T00:00:00Z';

/**
 * Tests that the page shows text in packages as plain text. This text must not hide a part of a package from the person
 * who approves the package.
 */
describe('hostile packages on the page', () => {
  let scene: PackageProcess;
  let browser: Browser;
  let watched: Watched;
  let gate: Told;
  let draft: Told;
  let asking: Told;

  const waivers = ['HP005', 'HP006', 'HP008'].map((rule) => ({
    rule,
    why: 'a test',
    until: UNTIL,
  }));

  /**
   * An agent creates the hostile package, and the operator waives its lint errors. With lint errors, the package could
   * not be sealed and shown.
   */
  async function sealed(given: unknown): Promise<Told> {
    const { body } = await scene.call(scene.con, 'POST', '', { package: given, seal: false });
    for (const waiver of waivers) await scene.call('operator', 'POST', `/${body.id}/waive`, waiver);
    const done = await scene.call(scene.con, 'POST', `/${body.id}/seal`, {});
    expect(done.body.error).toBeUndefined();
    return done.body;
  }

  beforeAll(async () => {
    scene = await new PackageProcess().begin();
    browser = await launchChromium();
    gate = await sealed(
      gatePackage({
        to: { agent: 'human', reason: ALL },
        gate: { type: 'blocking', name: `${IMAGE} \u202e`, step: LINK, contact: HIDDEN.slice(0, 30) },
        context: {
          summary: ALL,
          decisions: [{ id: 'D-001', decision: ALL, rationale: ALL }],
          artifacts: [{ path: 'docs/api.md', description: ALL }],
          open_questions: [{ question: ALL, priority: 'low', context: ALL, owner: HIDDEN, blocking: false }],
        },
        validation_request: {
          items: [ALL, `Second ${IMAGE}`],
          options: { approve: `${IMAGE} \u202e`, reject: LINK, question: HIDDEN },
        },
      }),
    );
    asking = await sealed(delegation({ context: { summary: ALL, artifacts: [], open_questions: [] } }));
    await scene.call(scene.ann, 'POST', `/${asking.id}/receive`, {});
    // Put each tag into a question with other words, because Baton refuses a question that consists of a tag alone: it
    // looks like a placeholder.
    const questions = [IMAGE, LINK, HIDDEN].map((text) => `Is this meant: ${text}`);
    const asked = await scene.call(scene.ann, 'POST', `/${asking.id}/ask`, { questions });
    expect(asked.status).toBe(200);
    draft = await corpus();
    watched = await openPage(browser, scene.baton);
    await plantCanaries(watched);
  });
  afterAll(async () => {
    await browser?.close();
    await scene.baton.cleanUp();
  });

  /**
   * Creates a package with all hostile texts that Baton accepts. Baton refuses control characters and texts that look
   * like secrets.
   */
  async function corpus(): Promise<Told> {
    const texts = PAYLOADS.map((payload) => payload.slice(0, 400)).filter(
      (text) => plainDataProblem(text) === undefined && !holdsSecret({ text }),
    );
    const half = Math.ceil(texts.length / 2);
    const context = {
      summary: texts[0],
      dead_ends: texts.slice(0, half).slice(0, 200),
      assumptions: texts.slice(half).slice(0, 200),
    };
    const { status, body } = await scene.call(scene.con, 'POST', '', { package: delegation({ context }), seal: false });
    expect([status, body.error]).toEqual([201, undefined]);
    return body;
  }

  it('[T14] [T15] text of hostile packages is shown as plain text on every page', async () => {
    const { page } = watched;
    for (const path of [
      '/packages',
      `/packages/${gate.id}`,
      `/packages/${asking.id}`,
      `/packages/${draft.id}`,
      '/inbox',
    ]) {
      await goTo(page, path);
      await page.locator('main').getByText('pwned(').first().waitFor();
      await expectInert(watched, path);
      expect({ path, tooWide: await tooWide(page) }).toEqual({ path, tooWide: 0 });
    }
    await goTo(page, `/packages/${gate.id}`);
    await page.getByRole('tab', { name: 'JSON' }).click();
    await expectInert(watched, 'the raw package');
    await goTo(page, '/activity');
    await page.getByRole('list', { name: 'Events, newest first' }).getByText(gate.id).first().waitFor();
    await expectInert(watched, 'the events of packages');
  });

  it('[T15] a package shows every hostile text of the test corpus as plain text', async () => {
    const { page } = watched;
    await goTo(page, `/packages/${draft.id}`);
    const shown = (await page.getByRole('region', { name: 'Content' }).textContent()) ?? '';
    const { dead_ends, assumptions } = draft.package.context as { dead_ends: string[]; assumptions: string[] };
    expect(dead_ends.length + assumptions.length).toBeGreaterThan(100);
    expect([...dead_ends, ...assumptions].filter((text) => !shown.includes(visible(text)))).toEqual([]);
  });

  it('hidden characters of a package are made visible where a person decides about the package', async () => {
    const { page } = watched;
    await goTo(page, '/inbox');
    const form = page.getByRole('region', { name: `Decide ${gate.id}` });
    await form.getByText('⟨U+202E⟩').first().waitFor();
    await form.getByRole('radio').nth(0).check();
    await expectInert(watched, 'the points of a gate');
    expect(await form.getByRole('checkbox').count()).toBe(2);
    expect(await form.getByRole('checkbox', { checked: true }).count()).toBe(0);
    await form.getByRole('radio').nth(1).check();
    await form.getByLabel('Reason for rejection').fill(ALL);
    await form.getByRole('button', { name: /^Reject package: HO-/ }).click();
    await page.getByRole('region', { name: 'Recently resolved' }).getByText('Rejected by operator').waitFor();
    await goTo(page, `/packages/${gate.id}`);
    await expectInert(watched, 'a hostile reason');
    const answering = `/packages/${asking.id}`;
    await goTo(page, answering);
    await page.getByRole('region', { name: `Answer ${asking.id}` }).waitFor();
    await expectInert(watched, 'hostile questions');
    const dialog = page.getByRole('dialog');
    await goTo(page, `/packages/${draft.id}`);
    await page
      .getByRole('button', { name: /^Override / })
      .first()
      .click();
    await dialog.waitFor();
    await expectInert(watched, 'the dialog of a waiver');
    await page.keyboard.press('Escape');
  });
});
