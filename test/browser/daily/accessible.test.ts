import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../../../scripts/bench/chromium.mjs';
import type { Agent } from '../../../src/contract/resources.ts';
import { PackageProcess } from '../../e2e/packages/package-process.ts';
import { delegation, full, gatePackage } from '../../surfaces/http/packages/package-scene.ts';
import { goTo } from '../support/alive.ts';
import { findings, seriousFindings, tooWide } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { type Objects, onEveryDialog, onEveryPage } from '../support/every-view.ts';

/** Buttons that belong to the page and not to one agent, handoff, package or persona. */
const PAGE_BUTTONS = new Set([
  ...['Skip to content', 'Start agent', 'Cards', 'List', 'All', 'Failed', 'Question', 'Decision', 'Dismiss all'],
  ...['Show history', 'In progress', 'Completed', 'Canceled', 'Workflows', 'New package', 'Clear filters', 'As text'],
  ...['Check package', 'Save draft', 'Submit package', 'In a form', 'Check again', 'New persona', 'Load older events'],
  ...['Send test notification', 'Save notification channels', 'Discard changes to notification channels'],
  ...['Save handoff threshold', 'Discard changes to the handoff threshold', 'Reset to default: handoff threshold'],
  ...['Save instruction text', 'Discard changes to the instruction text', 'Reset to built-in text: Instruction'],
  ...['Save handoff prompt text', 'Discard changes to the handoff prompt text', 'Copy version', 'Copy home'],
  ...['Reset to built-in text: Handoff prompt', 'Copy configuration', 'Sign out everywhere', 'Sign out this device'],
  ...['Save skill.md', 'Discard changes to skill.md', 'Cancel', 'Close', 'Keep running', 'Keep package'],
  ...['Start 3 agents', 'Create persona', 'Show date picker Show date picker'],
]);
const WIDTHS = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };
/** An agent, handoff, package, event or persona by its number, or a project or worktree by its name. */
const NAMES_ITS_OBJECT =
  /\b[Aa]gents? \d+\b|\bhandoff \d+\b|\bHO-\d{4}-\d{3}\b|\bevent \d+\b|\([a-z]+-[a-z]+-\d+\)|\b(?:of|for|project|worktree) \S/;

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
    objects = { failed, idle: scene.ann, bare, failedRunId, reviewedRunId, gateId, draftId, acceptedId };
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await baton.cleanUp();
  });

  it('the name of every button on every page and in every dialog says which object the button is for', async () => {
    const { page, context } = await openPage(browser, baton, { viewport: { width: 1440, height: 900 } });
    const session = await context.newCDPSession(page);
    const found: string[] = [];
    let count = 0;
    const check = async (view: string): Promise<void> => {
      const { names, dialogs } = await buttonNames(session);
      count += names.length;
      const twice = names.filter((name, at) => names.indexOf(name) !== at);
      found.push(...[...new Set(twice)].map((name) => `${view}: "${name}" is the name of several buttons`));
      // A screen reader announces the name of a dialog before the buttons in the dialog.
      const silent = names.filter(
        (name) => !PAGE_BUTTONS.has(name.replace(/ \d+$/, '')) && !NAMES_ITS_OBJECT.test([name, ...dialogs].join(' ')),
      );
      found.push(...silent.map((name) => `${view}: "${name}" names no object`));
    };
    await onEveryPage(page, objects, check);
    await onEveryDialog(page, objects, check);
    expect(found).toEqual([]);
    expect(count).toBeGreaterThan(200);
    await context.close();
  });

  it('two key presses open the most urgent item from any page', async () => {
    const { page, context } = await openPage(browser, baton);
    const opened = () => page.getByRole('heading', { name: new RegExp(`agent ${objects.failed.id}$`), level: 1 });
    await goTo(page, '/');
    await page.getByRole('list', { name: 'Needs you, worst first' }).getByRole('article').first().waitFor();
    for (const [from, keys] of [
      ['/', ['j', 'Enter']],
      ['/settings', ['Control+k', 'Enter']],
    ] as const) {
      await goTo(page, from);
      for (const key of keys) {
        await page.keyboard.press(key);
        if (key === 'Control+k') await page.getByRole('option').first().waitFor();
      }
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
        // Ignore this finding of axe: a menu is outside of all landmarks, because popup menus are placed there.
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

interface Node {
  readonly ignored: boolean;
  readonly role?: { readonly value?: unknown };
  readonly name?: { readonly value?: unknown };
}

/** The accessible names of all buttons and open dialogs, as the browser computes them for a screen reader. */
async function buttonNames(session: {
  send(method: 'Accessibility.getFullAXTree'): Promise<{ readonly nodes: readonly Node[] }>;
}): Promise<{ readonly names: readonly string[]; readonly dialogs: readonly string[] }> {
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  const namesOf = (wanted: string): string[] =>
    nodes
      .filter(({ ignored, role }) => !ignored && role?.value === wanted)
      .map(({ name }) => String(name?.value ?? ''));
  return { names: namesOf('button'), dialogs: namesOf('dialog') };
}
