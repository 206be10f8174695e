import type { Page } from 'playwright-core';
import type { Agent } from '../../../src/contract/resources.ts';
import { goTo } from './alive.ts';

/** The agents, handoffs and other objects that the pages and dialogs show. */
export interface Objects {
  /** An agent whose handoff failed. */
  readonly failed: Agent;
  /** An agent that handed off with a document that contains a lesson. */
  readonly taught: Agent;
  /** An idle agent with a persona. */
  readonly idle: Agent;
  /** An idle agent without a persona. */
  readonly bare: Agent;
  readonly failedRunId: number;
  /** A handoff that waits for the operator's review. */
  readonly reviewedRunId: number;
  readonly gateId: string;
  readonly draftId: string;
  readonly acceptedId: string;
}

type Check = (view: string) => Promise<void>;

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click();

/** Returns the path of every page. */
export function pathsOf(objects: Objects): readonly string[] {
  const { failed, failedRunId, reviewedRunId, gateId, draftId, acceptedId } = objects;
  const slug = failed.persona?.slug;
  return [
    ...['/', '/?tab=ended', '/inbox', '/runs', `/runs/${failedRunId}`, `/runs/${reviewedRunId}`, '/packages'],
    ...['/packages/new', '/packages/workflows', `/packages/${gateId}`, `/packages/${draftId}`],
    ...[`/packages/${acceptedId}`, `/agents/${failed.id}`, '/agents/999', '/more', '/usage', '/worktrees', '/personas'],
    ...[`/personas/${slug}`, `/personas/${slug}/lineage`, '/activity', '/settings', '/search', '/search?q=endpoints'],
  ];
}

const PERSONA_TABS = ['Experience', 'Lessons', 'Open points', 'Handoffs', 'Usage', 'Policy', 'Agent types'];

/** Opens every page, every tab of a persona and the dense list, one after the other. Runs the check on each. */
export async function onEveryPage(page: Page, objects: Objects, check: Check): Promise<void> {
  for (const path of pathsOf(objects)) {
    await goTo(page, path);
    await check(path);
  }
  await goTo(page, `/personas/${objects.taught.persona?.slug}`);
  for (const name of PERSONA_TABS) {
    await page.getByRole('tab', { name: new RegExp(`^${name}`) }).click();
    if (name === 'Lessons') await page.getByRole('list', { name: 'Offered lessons' }).waitFor();
    await page.locator('main [data-loading]').first().waitFor({ state: 'detached' });
    await check(`persona, ${name}`);
  }
  await goTo(page, '/');
  const filters = page.getByRole('button', { name: 'Filter and sort' });
  if (await filters.isVisible()) await filters.click();
  await press(page, 'List');
  await page.getByRole('table').first().waitFor();
  await check('dense list');
}

/** Opens every dialog one after the other, and runs the check on each. */
export async function onEveryDialog(page: Page, objects: Objects, check: Check): Promise<void> {
  const { failed, idle, bare, failedRunId, reviewedRunId, gateId, draftId, acceptedId } = objects;
  const dialog = async (view: string, open: () => Promise<void>): Promise<void> => {
    await open();
    await page.getByRole('dialog').waitFor();
    await check(view);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  };
  const chosen = async ({ id }: Agent, item: RegExp): Promise<void> => {
    await goTo(page, `/agents/${id}`);
    await press(page, /^More actions for/);
    await page.getByRole('menuitem', { name: item }).click();
  };
  const slug = failed.persona?.slug;
  await page.getByLabel('Group agents').selectOption('project');
  await dialog('default persona', () => press(page, /^Default persona/));
  await dialog('command palette', () => page.keyboard.press('Control+k'));
  await dialog('help', () => page.keyboard.press('?'));
  await dialog('start agents', async () => {
    await press(page, 'Start agent');
    await page.getByLabel('Number of agents').fill('3');
    await page.getByLabel('Persona (2 of 3)', { exact: true }).selectOption({ label: 'New persona…' });
  });
  await goTo(page, '/personas');
  await dialog('new persona', () => press(page, /persona/i));
  await goTo(page, `/personas/${slug}`);
  await dialog('edit persona', () => press(page, /^Edit name and role/));
  await goTo(page, `/personas/${objects.taught.persona?.slug}`);
  await page.getByRole('tab', { name: /^Lessons/ }).click();
  await dialog('edit lesson', () => press(page, /^Edit lesson/));
  await goTo(page, `/runs/${failedRunId}`);
  await dialog('another file', () => press(page, /^Use another file/));
  await goTo(page, `/runs/${reviewedRunId}`);
  await dialog('send back', () => press(page, /^Send document back/));
  await goTo(page, `/packages/${gateId}`);
  await dialog('cancel package', () => press(page, /^Cancel package/));
  await goTo(page, `/packages/${draftId}`);
  await dialog('override', () => press(page, /^Override/));
  await goTo(page, `/packages/${acceptedId}`);
  await dialog('fail', () => press(page, /^Mark as failed/));
  await dialog('stop', () => chosen(idle, /^Stop/));
  await dialog('kill', () => chosen(idle, /^Kill/));
  await dialog('give persona', () => chosen(bare, /persona/));
  await dialog('handoff with a note', () => chosen(idle, /end of shift/));
}
