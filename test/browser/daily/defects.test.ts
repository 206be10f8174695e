import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { launchChromium } from '../../../scripts/bench/chromium.mjs';
import type { Agent, InboxItem, Run } from '../../../src/contract/resources.ts';
import { PackageProcess } from '../../e2e/packages/package-process.ts';
import { delegation, full, gatePackage } from '../../surfaces/http/packages/package-scene.ts';
import { goTo } from '../support/alive.ts';
import { live, openPage, type Watched } from '../support/browser.ts';
import { layLink } from '../support/cuttable-link.ts';

/**
 * Each test shows that a defect of version 0.1.0 is gone from the page. If the command line had the same defect, the
 * test also checks the command line.
 */
describe('the page', () => {
  let scene: PackageProcess;
  let browser: Browser;
  let watched: Watched | undefined;
  beforeAll(async () => {
    scene = await new PackageProcess().begin();
    browser = await launchChromium();
  });
  afterEach(async () => {
    const troubles = watched?.troubles ?? [];
    await watched?.context.close();
    watched = undefined;
    expect(troubles).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await scene.baton.cleanUp();
  });

  const open = async (options: Parameters<typeof openPage>[2] = {}): Promise<Page> => {
    watched = await openPage(browser, scene.baton, { viewport: { width: 1440, height: 900 }, ...options });
    return watched.page;
  };
  const handOff = async (agent: Agent): Promise<Run> => {
    const { body } = await scene.baton.call<{ run_id: number }>('POST', `/api/agents/${agent.id}/handoff`, {});
    return scene.baton.over(body.run_id);
  };

  it('[D6] a handoff has the same number on the page of its persona, on its own page and on the command line', async () => {
    // Begin with a handoff that fails and therefore gets no handoff record. The numbers of later handoffs then differ
    // from the numbers of their records, so the test notices a page that confuses these numbers.
    const failing = await scene.baton.agent({ behaviour: { handoff: 'ignore' } });
    const failed = await handOff(failing);
    const agent = await scene.baton.agent();
    const run = await handOff(agent);
    const slug = agent.persona?.slug ?? '';
    const { handoffs } = await scene.baton.get<{ handoffs: { id: number; run_id: number }[] }>(
      `/api/handoffs?persona=${slug}`,
    );
    expect(handoffs).toMatchObject([{ run_id: run.id }]);
    expect([failed.step, handoffs[0]?.id === run.id]).toEqual(['failed', false]);

    const page = await open();
    await goTo(page, `/personas/${slug}`);
    await page.getByRole('tab', { name: 'Handoffs' }).click();
    const row = page.getByRole('list', { name: 'Handoffs of this persona' }).getByRole('link');
    await row.first().waitFor();
    expect(await row.allTextContents()).toEqual([`Handoff ${run.id}: context limit`]);
    await row.click();
    await page.getByRole('heading', { name: new RegExp(`^Handoff ${run.id} of `), level: 1 }).waitFor();

    const listed = (await scene.cli('operator', 'persona', 'handoffs', slug)).stdout.split('\n');
    expect([listed[0]?.split(/\s+/)[0], listed[1]?.split(/\s+/)[0]]).toEqual(['HANDOFF', String(run.id)]);
    const shown = await scene.cli('operator', 'handoff', 'show-record', String(handoffs[0]?.id));
    expect(shown.stdout).toMatch(new RegExp(`^Handoff ${run.id} of agent ${agent.id} `));
  });

  it('[D14] a gate shows the changed lines of a file that differs from the submitted version', async () => {
    const { body } = await scene.create(gatePackage());
    // Wait, because Baton stores the text of the artifact shortly after the package was created.
    const sha256 = createHash('sha256').update('# API\n12 endpoints\n').digest('hex');
    const kept = join(scene.baton.home, 'data/artifacts');
    await expect.poll(() => existsSync(kept) && readdirSync(kept).some((name) => name.includes(sha256))).toBe(true);
    writeFileSync(join(scene.projectPath, 'docs/api.md'), '# API\n13 endpoints\n');
    const page = await open();
    await goTo(page, `/packages/${body.id}`);
    const figure = page.getByRole('region', { name: `Decide ${body.id}` }).getByRole('figure');
    await figure.getByText('docs/api.md').waitFor();
    expect((await figure.locator('pre').textContent())?.trim().split('\n')).toEqual([
      ...['# API', '- 12 endpoints', '+ 13 endpoints'],
    ]);
    expect(await figure.textContent()).not.toMatch(/[0-9a-f]{64}/);
    await scene.call('operator', 'POST', `/${body.id}/cancel`, {});
  });

  it('[D5] the page of workflows shows the steps of a project and the package that is at each step', async () => {
    mkdirSync(join(scene.projectPath, '.project'), { recursive: true });
    const workflowSteps = [
      { step: 'build', persona: 'developer-con-1' },
      { step: 'check', persona: 'reviewer-ann-2', deliverable: 'A list of 12 findings' },
    ];
    writeFileSync(
      join(scene.projectPath, '.project/workflow.yaml'),
      stringify({ workflow: { name: 'api', steps: workflowSteps } }),
    );
    const { body } = await scene.create({
      from: { agent: 'developer-con-1' },
      to: { reason: 'The endpoints are built' },
      context: { summary: 'The endpoints of docs/api.md are built', artifacts: [], decisions: [], open_questions: [] },
    });
    const page = await open();
    await goTo(page, '/packages');
    await page.getByRole('button', { name: 'Workflows' }).click();
    const steps = page.getByRole('list', { name: 'Steps of the workflow api' }).locator('> li');
    await steps.filter({ hasText: /build.*Con/ }).waitFor();
    const [first, second] = await Promise.all([0, 1].map((index) => steps.nth(index).textContent()));
    expect(first).toMatch(/build.*Con/);
    expect(second).toMatch(new RegExp(`check.*Ann.*A list of 12 findings${body.id}Pending$`));
    // The page must show each new state of the package without a reload.
    await scene.call(scene.ann, 'POST', `/${body.id}/receive`, {});
    await scene.call(scene.ann, 'POST', `/${body.id}/ack`, full('Check the 12 endpoints'));
    await steps.nth(1).getByText('Accepted').waitFor();
    // Remove only the workflow file and not its folder, because Baton may still write the package archive into this
    // folder.
    rmSync(join(scene.projectPath, '.project/workflow.yaml'));
  });

  it('[D10] if a tab shows the sign-in page, opening a login link in this tab signs the tab in', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const { url } = (await scene.baton.call<{ url: string }>('POST', '/api/login-codes', {})).body;
    await page.goto(new URL('/', url).href);
    await page.getByText('Sign in: run this command').waitFor();
    await page.evaluate((link) => location.assign(link), url);
    await live(page).waitFor();
    await context.close();
  });

  it('[D4] from the inbox, the operator can remind an agent of an unopened package or reassign the package', async () => {
    const { body } = await scene.create(delegation());
    const sentence = `Ann (agent ${scene.ann.id}) was notified of ${body.id} 4 min ago and has not opened it.`;
    const item = {
      ...{ id: 9001, kind: 'decision', severity: 'stuck', sentence, hint: '', agent_id: null, run_id: null },
      ...{ package_id: body.id, opened_at: new Date().toISOString(), offers: ['remind', 'reassign'], notified: {} },
    };
    const page = await open();
    // Add the inbox item to the server's answer, because the server itself would open this item only after minutes.
    await page.route('**/api/inbox*', async (route) => {
      const answer = (await (await route.fetch()).json()) as { items: InboxItem[] };
      await route.fulfill({ json: { ...answer, items: [item, ...answer.items] } });
    });
    await page.reload();
    await goTo(page, '/inbox');
    await page.getByRole('list', { name: 'Items that need you' }).getByText(sentence).waitFor();
    expect(await page.locator('main').textContent()).not.toContain('orchestrator');
    await page.getByRole('button', { name: `Reassign ${body.id}…` }).waitFor();
    const sent = page.waitForRequest((request) => request.url().endsWith(`/api/packages/${body.id}/remind`));
    await page.getByRole('button', { name: `Remind the agent of ${body.id}` }).click();
    await sent;
  });

  it('[D21] if a successor did not acknowledge, the operator can remind the successor or complete the handoff', async () => {
    const agent = await scene.baton.agent({ behaviour: { injection: 'ignore' } });
    const { body } = await scene.baton.call<{ run_id: number }>('POST', `/api/agents/${agent.id}/handoff`, {});
    const page = await open();
    await goTo(page, `/runs/${body.run_id}`);
    const actions = page.getByRole('group', { name: `Actions for handoff ${body.run_id}` });
    await actions.getByRole('button', { name: /^Remind successor/ }).waitFor();
    await actions.getByRole('button', { name: /^Message successor/ }).waitFor();
    await actions.getByRole('button', { name: /^Complete anyway/ }).click();
    await page.getByText('Completed', { exact: true }).first().waitFor();
    expect(await scene.baton.over(body.run_id)).toMatchObject({ step: 'completed', acknowledged: false });
  });

  it('[D15] the start dialog says that the chosen persona already has a live agent', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Start agent', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Start agent' });
    await dialog.getByLabel('Persona', { exact: true }).selectOption('reviewer-ann-2');
    await dialog.getByText(new RegExp(`^Ann is already live as agent ${scene.ann.id} in `)).waitFor();
    await dialog.getByText('Packages to this persona may go to any of these agents.').waitFor();
    await page.keyboard.press('Escape');
  });

  it('[D20] while the page is offline, its title says so and every button that sends a request is disabled', async () => {
    const link = await layLink(scene.baton.port);
    const page = await open({ port: link.port });
    const card = page.getByRole('article', { name: new RegExp(`agent ${scene.con.id}$`) });
    await card.getByRole('button', { name: /^Message/ }).click();
    await card.getByRole('textbox').fill('A draft');
    link.cut();
    const banner = page.getByRole('alert').filter({ hasText: 'Connection lost' });
    await banner.waitFor();
    expect(await banner.textContent()).toMatch(/^(?:[A-Z][^.]*\.\s*)+$/);
    await page.waitForFunction(() => document.title.includes('Offline'));
    expect(await card.getByRole('button', { name: /^Send message to/ }).isDisabled()).toBe(true);
    link.mend();
    await page.waitForFunction(() => !document.title.includes('Offline'));
    link.close();
  });

  it('[D18] after a restore, the inbox names the agent whose work was cut off, and the button Continue lets this agent go on', async () => {
    const agent = await scene.baton.agent({ persona: false });
    await scene.baton.call('POST', `/api/agents/${agent.id}/messages`, { text: '[[practice:bash sleep 3600]]' });
    await scene.baton.event(({ type, agent_id }) => type === 'tool_used' && agent_id === agent.id);
    const tmux = ['-S', join(scene.baton.home, 'tmux.sock')];
    process.kill(Number(execFileSync('tmux', [...tmux, 'display-message', '-p', '#{pid}'])), 'SIGKILL');
    await expect.poll(async () => (await scene.baton.get<Agent>(`/api/agents/${agent.id}`)).state).toBe('lost');
    const page = await open();
    await goTo(page, '/inbox');
    await page.getByRole('button', { name: 'Restore agents' }).first().click();
    const item = page
      .getByRole('list', { name: 'Items that need you' })
      .locator('> li')
      .filter({ hasText: `which was agent ${agent.id}, was cut off` });
    await item.getByText('was cut off while it was working').waitFor();
    const sent = page.waitForResponse((response) => response.url().endsWith('/continue'));
    await item.getByRole('button', { name: 'Continue' }).click();
    expect((await sent).status()).toBe(200);
    await item.waitFor({ state: 'detached' });
  });
});
