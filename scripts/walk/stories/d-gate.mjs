import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { must } from '../walker.mjs';

/**
 * Story: the operator gives a step to another agent, and approves the result at a gate.
 * @param {import('../walker.mjs').Walk} walk
 */
export async function stepWithGate(walk) {
  const shop = walk.folder('shop');
  const packages = {
    Con: { writes: 'docs/risks.md', gate: 'Risks approved' },
    Eve: { writes: 'docs/tests.md', gate: 'Tests approved' },
  };
  writeFileSync(join(shop, '.practice.json'), JSON.stringify({ packages, thinkMs: 20, contextWindow: 200_000 }));
  for (const [role, name] of [
    ['developer', 'Con'],
    ['tester', 'Eve'],
  ]) {
    await walk.baton(`baton persona register --role ${role} --name ${name}`);
    await walk.baton(`baton agent start --persona ${name}`, { cwd: shop });
  }
  await walk.signIn();
  let year = '';
  const id = (/** @type {number} */ number) => `HO-${year}-00${number}`;
  const decision = (/** @type {number} */ number) => walk.open.getByRole('region', { name: `Decide ${id(number)}` });
  const completed = (/** @type {number} */ number) =>
    walk.until(
      async () => (await walk.server.call(`/api/packages/${id(number)}`)).state === 'completed',
      `${id(number)} is completed`,
    );

  await walk.step('Packages → New package is a form', async () => {
    await walk.follow('Packages');
    await walk.press('New package');
    await walk.open.getByLabel('To', { exact: true }).selectOption({ label: 'Con · developer · developer-con-1' });
    await walk.fill('Why this agent', 'Con knows the parser');
    await walk.fill('What the agent should know', 'PLAN.md has 5 steps, all described');
    await walk.fill(/^Files/, 'PLAN.md');
    await walk.fill('Expected result', 'docs/risks.md with the 3 biggest risks of the parser');
    await walk.fill(/^Done when/, 'docs/risks.md exists');
    await walk.open.getByRole('checkbox', { name: /^Ask for my approval/ }).check();
  });
  await walk.step('the check finds no error, and the package is submitted', async () => {
    await walk.press('Check package');
    await walk.open.getByRole('status').filter({ hasText: 'Ready to submit' }).waitFor();
    await walk.press('Submit package');
    const title = walk.open.getByRole('heading', { name: /^HO-\d{4}-001$/, level: 1 });
    year = (await title.textContent())?.slice(3, 7) ?? '';
  });
  await walk.step('Con does the work and asks for approval: the inbox shows the gate with the file', async () => {
    await walk.open.getByRole('link', { name: /^Inbox.*1/ }).click();
    await decision(2).waitFor();
    await decision(2).getByText('Show docs/risks.md').click();
    await decision(2).getByText('docs/risks.md exists - looked at, holds.').waitFor();
  });
  await walk.step('somebody changes the file: the gate shows the difference', async () => {
    appendFileSync(join(shop, 'docs/risks.md'), 'And a fourth risk.\n');
    await walk.open.reload();
    await decision(2).getByRole('alert').filter({ hasText: 'docs/risks.md' }).waitFor();
    await decision(2).getByText('+ And a fourth risk.').waitFor();
  });
  await walk.step('the operator rejects it with a reason; Con writes it again and asks again', async () => {
    const gate = decision(2);
    await gate.getByRole('radio', { name: /^Reject/ }).check();
    await walk.fill('Reason for rejection', 'Three risks were agreed, not four', gate);
    await walk.press(`Reject package: ${id(2)}`, gate);
    await decision(3).getByText('Show docs/risks.md').click();
    await walk.reads(`After ${id(2)}: Three risks were agreed, not four`);
  });
  await walk.step('the operator approves; the package of Con is completed', async () => {
    const gate = decision(3);
    await gate.getByRole('radio', { name: /^Approve/ }).check();
    await walk.press(`Approve package: ${id(3)}`, gate);
    await completed(1);
    await walk.reads('Nothing needs you');
  });
  await walk.step('`baton package new` sends the next step to Eve', async () => {
    const { stdout } = await walk.baton(
      'baton package new --to Eve --why "Eve tests the parser" --summary "docs/risks.md has 3 risks" --artifact docs/risks.md --deliverable "docs/tests.md with a test for each of the 3 risks" --criterion "docs/tests.md exists" --approval',
      { cwd: shop },
    );
    must(stdout.includes(`${id(4)} is pending, from human to tester-eve-2`), stdout);
  });
  await walk.step('the gate of Eve is decided in the terminal', async () => {
    await walk.until(
      async () => (await walk.shell('baton package inbox', shop)).stdout.includes(id(5)),
      'the gate is in the inbox',
    );
    const { stdout } = await walk.baton(`baton package contents ${id(5)}`);
    must(/docs\/tests\.md.*as sealed/.test(stdout), stdout);
    await walk.baton(`baton package decide ${id(5)} approve`);
    await completed(4);
  });
}
