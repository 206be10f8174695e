import type { Page } from 'playwright-core';

/** Button names that need not say which agent, handoff, package or persona the button is for. */
const PAGE_BUTTONS = new Set([
  ...['Skip to content', 'Start agent', 'Cards', 'List', 'All', 'Failed', 'Question', 'Decision', 'Notice'],
  ...['Dismiss all', 'Filters'],
  ...['Show history', 'In progress', 'Completed', 'Canceled', 'Workflows', 'New package', 'Clear filters', 'As text'],
  ...['Check package', 'Save draft', 'Submit package', 'In a form', 'Check again', 'New persona', 'Load older events'],
  ...['Send test notification', 'Save notification channels', 'Discard changes to notification channels'],
  ...['Save handoff threshold', 'Discard changes to the handoff threshold', 'Reset to default: handoff threshold'],
  ...['Save instruction text', 'Discard changes to the instruction text', 'Reset to built-in text: Instruction'],
  ...['Save handoff prompt text', 'Discard changes to the handoff prompt text', 'Copy version', 'Copy home'],
  ...['Reset to built-in text: Handoff prompt', 'Copy configuration', 'Sign out everywhere', 'Sign out this device'],
  ...[
    'Save skill.md',
    'Discard changes to skill.md',
    'Save experience.md',
    'Discard changes to experience.md',
    'Cancel',
    'Close',
    'Keep running',
    'Keep package',
  ],
  ...['Start 3 agents', 'Create persona', 'Save the daily token budget', 'Show date picker Show date picker'],
]);
/**
 * Matches a button's name if the name says which object the button is for. Agents, handoffs and events are named by
 * number, packages and personas by id, projects and worktrees by name.
 */
const NAMES_ITS_OBJECT =
  /\b[Aa]gents? \d+\b|\bhandoff \d+\b|\bHO-\d{4}-\d{3}\b|\bevent \d+\b|\([a-z]+-[a-z]+-\d+\)|\b(?:of|for|project|worktree) \S/;

interface Node {
  readonly ignored: boolean;
  readonly role?: { readonly value?: unknown };
  readonly name?: { readonly value?: unknown };
}

/**
 * Returns the accessible names of all buttons, as the browser computes them for a screen reader. `problems` lists each
 * name that two buttons share and each name that does not say which object the button is for.
 */
export async function badButtonNames(
  page: Page,
): Promise<{ readonly names: readonly string[]; readonly problems: readonly string[] }> {
  const { names, dialogs } = await buttonNames(page);
  // Allow several buttons with the name "Show date picker", because the browser adds such a button to each date field.
  const twice = names.filter((name, at) => names.indexOf(name) !== at && !name.startsWith('Show date picker'));
  // A screen reader announces the name of a dialog before the buttons in the dialog.
  const silent = names.filter(
    (name) => !PAGE_BUTTONS.has(name.replace(/ \d+$/, '')) && !NAMES_ITS_OBJECT.test([name, ...dialogs].join(' ')),
  );
  return {
    names,
    problems: [
      ...[...new Set(twice)].map((name) => `"${name}" is the name of several buttons`),
      ...silent.map((name) => `"${name}" names no object`),
    ],
  };
}

async function buttonNames(
  page: Page,
): Promise<{ readonly names: readonly string[]; readonly dialogs: readonly string[] }> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = (await session.send('Accessibility.getFullAXTree')) as { readonly nodes: readonly Node[] };
  await session.detach();
  const namesOf = (wanted: string): string[] =>
    nodes
      .filter(({ ignored, role }) => !ignored && role?.value === wanted)
      .map(({ name }) => String(name?.value ?? ''));
  return { names: namesOf('button'), dialogs: namesOf('dialog') };
}
