import { must } from '../walker.mjs';

/**
 * Story: the operator looks up how many tokens each agent used and sets a budget for a day. The inbox reports when the
 * agents have used more.
 * @param {import('../walker.mjs').Walk} walk
 */
export async function tokens(walk) {
  const shop = walk.folder('shop');
  for (const name of ['Con', 'Mira']) {
    await walk.baton(`baton persona register --role developer --name ${name}`);
    await walk.baton(`baton agent start --persona ${name}`, { cwd: shop });
    await walk.idle(name);
    await walk.baton(`baton agent send ${name} "Do the next step of PLAN.md."`);
    await walk.idle(name);
  }
  /**
   * @param {string} by
   * @returns {Promise<any>}
   */
  const usage = async (by) => JSON.parse((await walk.baton(`baton usage --by ${by} --json`)).stdout);

  await walk.step('`baton usage --by persona` names both personas with their tokens, and no money', async () => {
    await walk.until(
      async () => (await usage('persona')).rows.filter((/** @type {any} */ row) => row.tokens?.total > 0).length === 2,
      'both personas have tokens',
    );
    const { stdout } = await walk.baton('baton usage --by persona --since 7d');
    must(/^Con +[\d,]+/m.test(stdout) && /^Mira +[\d,]+/m.test(stdout), `a persona is missing:\n${stdout}`);
    must(!/\$/.test(stdout), `the practice agent names no money:\n${stdout}`);
  });
  await walk.step('the page Usage shows the same by day, persona and agent, and leads to the agent', async () => {
    await walk.signIn();
    await walk.follow('Usage');
    await walk.open.getByRole('table', { name: 'Tokens by day' }).waitFor();
    await walk.open.getByLabel('Group').selectOption({ label: 'By persona' });
    const table = walk.open.getByRole('table', { name: 'Tokens by persona' });
    for (const name of ['Con', 'Mira']) await table.getByRole('rowheader', { name }).waitFor();
    await walk.open.getByLabel('Group').selectOption({ label: 'By agent' });
    await walk.open.getByRole('table', { name: 'Tokens by agent' }).getByRole('link', { name: /^Con/ }).click();
    await walk.open.getByText(/^Tokens: [\d.]+K? \(/).waitFor();
  });
  await walk.step('a restart of the server counts no token twice', async () => {
    const before = (await usage('day')).total.tokens.total;
    await walk.server.kill();
    await walk.server.start();
    await walk.idle('Con');
    const after = (await usage('day')).total.tokens.total;
    must(before === after, `${before} tokens before the restart, ${after} after it`);
  });
  await walk.step('a budget is set on the page Usage', async () => {
    await walk.signIn();
    await walk.follow('Usage');
    await walk.fill('Tokens a day, all agents', '1,000');
    await walk.press('Save the daily token budget');
    await walk.open.getByRole('meter', { name: 'Daily budget used' }).waitFor();
  });
  await walk.step('the next answer passes the budget, and the inbox says so once', async () => {
    await walk.baton('baton agent send Con "Do the next step of PLAN.md."');
    await walk.follow('Inbox');
    await walk.reads(/The agents have used [\d,]+ tokens on .* and your budget for a day was 1,000/);
    await walk.idle('Con');
    await walk.baton('baton agent send Mira "Do the next step of PLAN.md."');
    await walk.idle('Mira');
    const { stdout } = await walk.baton('baton inbox list');
    must(stdout.split('budget for a day').length === 2, `the notice is not there once:\n${stdout}`);
  });
}
