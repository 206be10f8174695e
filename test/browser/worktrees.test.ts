import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchChromium } from '../../scripts/bench/chromium.mjs';
import type { Agent, Project } from '../../src/contract/resources.ts';
import { BatonProcess } from '../support/baton-process.ts';
import { seriousFindings, tooWide } from './support/axe.ts';
import { openPage, toast, type Watched } from './support/browser.ts';

/**
 * Tests worktrees on the page. The page removes a worktree only after the operator has confirmed everything that would
 * be lost.
 */
describe('worktrees on the page', () => {
  const baton = new BatonProcess();
  let browser: Browser;
  let watched: Watched;
  let page: Page;
  let project: Project;
  beforeAll(async () => {
    await baton.start();
    const path = baton.project();
    git(path, 'init', '-q', '-b', 'main');
    git(path, 'add', '-A');
    git(path, 'commit', '-qm', 'first');
    project = (await baton.call<Project>('POST', '/api/projects', { path })).body;
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
    rmSync(project.path, { recursive: true, force: true });
  });

  const git = (folder: string, ...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=n@example.org', ...args], {
      cwd: folder,
      encoding: 'utf8',
      timeout: 120_000,
      stdio: 'pipe',
    }).trim();
  async function begin(worktree: string): Promise<Agent> {
    const { body } = await baton.call<Agent>('POST', '/api/agents', { project_id: project.id, worktree });
    return baton.ready(body.id, false);
  }
  async function left(worktree: string): Promise<Agent> {
    const agent = await begin(worktree);
    await baton.call('POST', `/api/agents/${agent.id}/stop`, { force: true });
    await expect.poll(async () => (await baton.get<Agent>(`/api/agents/${agent.id}`)).state).toBe('ended');
    return agent;
  }
  const row = (name: string) => page.getByRole('article', { name: `Worktree ${name}`, exact: true });
  const removeButton = (name: string) => page.getByRole('button', { name: `Remove worktree ${name}`, exact: true });

  it('a worktree cannot be removed while an agent works in it', async () => {
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Worktrees' }).click();
    await page.getByRole('main').getByText('No worktrees').waitFor();
    // The new worktree must appear on the open page without a reload.
    const agent = await begin('busy');
    await row('busy')
      .getByRole('link', { name: new RegExp(`agent ${agent.id}$`) })
      .waitFor();
    await row('busy').getByText('Used by').waitFor();
    for (const told of ['baton/busy', agent.folder]) await row('busy').getByText(told).waitFor();
    await removeButton('busy').click();
    const dialog = page.getByRole('dialog', { name: 'Remove worktree busy?' });
    await dialog.getByText(`It cannot be removed: Agent ${agent.id} works in the worktree busy`).waitFor();
    expect(await dialog.getByRole('button', { name: 'Remove worktree' }).count()).toBe(0);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(existsSync(agent.folder)).toBe(true);
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Agents' }).click();
    const card = page.getByRole('article', { name: new RegExp(`agent ${agent.id}$`) });
    await card.getByRole('link', { name: 'baton/busy' }).click();
    await row('busy').waitFor();
  });

  it('with the keyboard alone, the operator can remove a worktree after confirming each loss', async () => {
    const { folder } = await left('con');
    writeFileSync(join(folder, 'note.txt'), 'mine\n');
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Worktrees' }).click();
    await row('con').getByText('Removing the worktree loses 1 uncommitted change.').waitFor();
    await row('con')
      .getByText(/No agents\. Last used by/)
      .waitFor();
    await removeButton('con').focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Remove worktree con?' });
    const lose = dialog.getByRole('checkbox', { name: 'Delete: 1 uncommitted change' });
    const remove = dialog.getByRole('button', { name: 'Remove worktree' });
    await lose.waitFor();
    expect([await lose.isChecked(), await remove.isDisabled()]).toEqual([false, true]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(existsSync(folder)).toBe(true);

    await page.keyboard.press('Enter');
    await lose.focus();
    await page.keyboard.press('Space');
    await expect.poll(() => remove.isEnabled()).toBe(true);
    // The operator has not confirmed the loss of the second file, so Baton must not remove the worktree.
    writeFileSync(join(folder, 'second.txt'), 'more\n');
    await remove.focus();
    await page.keyboard.press('Enter');
    await dialog.getByText('The work that would be lost has changed').waitFor();
    expect([existsSync(folder), await remove.isDisabled()]).toEqual([true, true]);
    await dialog.getByRole('checkbox', { name: 'Delete: 2 uncommitted changes' }).focus();
    await page.keyboard.press('Space');
    await expect.poll(() => remove.isEnabled()).toBe(true);
    await remove.focus();
    await page.keyboard.press('Enter');
    await toast(page, 'Worktree con was removed. Branch baton/con was kept.').waitFor();
    await row('con').waitFor({ state: 'detached' });
    expect([existsSync(folder), git(project.path, 'branch', '--list', 'baton/con')]).toEqual([false, 'baton/con']);
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main');
  });

  it('the branch of a worktree is removed only if the operator confirms the loss of its commits', async () => {
    const { folder } = await left('branchy');
    writeFileSync(join(folder, 'note.txt'), 'mine\n');
    git(folder, 'add', '-A');
    git(folder, 'commit', '-qm', 'work');
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Worktrees' }).click();
    await row('branchy').getByText('1 commit is on no other branch.').waitFor();
    await removeButton('branchy').click();
    const dialog = page.getByRole('dialog');
    const remove = dialog.getByRole('button', { name: 'Remove worktree' });
    await dialog.getByText('No work would be lost.').waitFor();
    await dialog.getByRole('checkbox', { name: /Also delete branch/ }).check();
    const lose = dialog.getByRole('checkbox', { name: 'Delete: 1 commit that is on no other branch' });
    await lose.waitFor();
    expect(await remove.isDisabled()).toBe(true);
    await lose.check();
    await remove.click();
    await toast(page, 'Worktree branchy and its branch were removed.').waitFor();
    expect(git(project.path, 'branch', '--list', 'baton/branchy')).toBe('');
  });

  for (const colorScheme of ['light', 'dark'] as const)
    it(`axe finds no serious problem on the page of worktrees, ${colorScheme}`, async () => {
      const name = `axe-${colorScheme}`;
      const { folder } = await left(name);
      writeFileSync(join(folder, 'note.txt'), 'mine\n');
      const viewport = colorScheme === 'light' ? { width: 1280, height: 800 } : { width: 390, height: 844 };
      const seen = await openPage(browser, baton, { colorScheme, viewport });
      await seen.page.evaluate(() => {
        location.hash = '#/worktrees';
      });
      const button = seen.page.getByRole('button', { name: `Remove worktree ${name}` });
      await button.waitFor();
      expect([await seriousFindings(seen.page), await tooWide(seen.page)]).toEqual([[], 0]);
      await button.click();
      await seen.page
        .getByRole('dialog')
        .getByRole('checkbox', { name: /^Delete/ })
        .waitFor();
      expect([await seriousFindings(seen.page), await tooWide(seen.page)]).toEqual([[], 0]);
      expect(seen.troubles).toEqual([]);
      await seen.context.close();
    });
});
