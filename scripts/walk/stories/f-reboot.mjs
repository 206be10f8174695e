import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { must } from '../walker.mjs';

/**
 * Story: the operator stops everything, and continues after a reboot.
 * @param {import('../walker.mjs').Walk} walk
 */
export async function reboot(walk) {
  const shop = walk.folder('shop');
  for (const [role, name] of [
    ['developer', 'Con'],
    ['tester', 'Eve'],
    ['designer', 'Ida'],
  ]) {
    await walk.baton(`baton persona register --role ${role} --name ${name}`);
    await walk.baton(`baton agent start --persona ${name} --prompt "Do the next step of PLAN.md."`, { cwd: shop });
  }
  await walk.idle('Con', 'Eve', 'Ida');
  await walk.baton('baton agent send Con "Run all tests. [[practice:bash sleep 3600]]"');
  await walk.baton('baton agent send Eve "Publish. [[practice:dialog Bash(npm publish)]]"', { mayFail: true });
  await walk.until(async () => (await walk.agent('Con'))?.state === 'working', 'Con works');
  await walk.until(async () => (await walk.agent('Eve'))?.state === 'awaiting_input', 'Eve asks');
  let context = await walk.signIn();

  await walk.step('the machine goes down; the open page says that it is offline', async () => {
    await walk.server.kill();
    spawnSync('tmux', ['-S', join(walk.server.home, 'tmux.sock'), 'kill-server']);
    await walk.open
      .getByRole('status')
      .filter({ hasText: /^Offline$/ })
      .waitFor();
  });
  await walk.step('after `baton start` the page is live again, and says that three agents were lost', async () => {
    await walk.server.start();
    for (const tab of context.pages()) await tab.close();
    context = await walk.signIn();
    await walk.open
      .getByRole('status')
      .filter({ hasText: /^Live$/ })
      .waitFor();
    await walk.reads(/3 agents/);
  });
  await walk.step('`baton agent restore --dry-run` lists the three, and who was cut off doing what', async () => {
    const { stdout } = await walk.baton('baton agent restore --dry-run');
    must(/Con[^✓]*cut off while it was working: uses Bash, for the prompt "Run all tests/s.test(stdout), stdout);
    must(/Eve[^✓]*cut off while it asked: permission to use Bash: .*npm publish/s.test(stdout), stdout);
    must(/agent 3 {2}Ida/.test(stdout), stdout);
  });
  await walk.step('one press on "Restore agents" brings all three back', async () => {
    await walk.press(/^Restore agents/);
    await walk.until(
      async () => (await walk.server.call('/api/agents?live=1')).agents.length === 3,
      'three agents live',
    );
    await walk.idle('Con', 'Eve', 'Ida');
  });
  const needing = walk.open.getByRole('list', { name: 'Needs you, worst first' });
  await walk.step('the top of the page names the two that were cut off, with their old numbers', async () => {
    await needing.getByText(/which was agent 1, was cut off while it was working/).waitFor();
    await needing.getByText(/which was agent 2, was cut off while it asked/).waitFor();
    must((await needing.getByText(/was agent 3, was cut off/).count()) === 0, 'Ida was not cut off');
  });
  await walk.step('"Continue" lets Con continue its work', async () => {
    const con = await walk.agent('Con');
    await walk.press(new RegExp(`^Continue.*agent ${con.id}$`));
    await walk.open.getByRole('status').filter({ hasText: 'has the message' }).waitFor();
    await needing.getByText(/which was agent 1, was cut off/).waitFor({ state: 'detached' });
  });
  await walk.step('`baton agent continue` does the same for Eve', async () => {
    const eve = await walk.agent('Eve');
    await walk.baton(`baton agent continue ${eve.id}`, { mayFail: true });
    await walk.reads('Nothing needs you.');
  });
  await walk.step('in the evening `baton agent stop --all` refuses to run from a script without --yes', async () => {
    const { code, stderr } = await walk.baton('baton agent stop --all', { mayFail: true });
    must(code === 2 && /--yes/.test(stderr), `code ${code}: ${stderr}`);
  });
  await walk.step('`baton agent stop --all --yes` ends the agents, `baton stop` the server', async () => {
    await walk.baton('baton agent stop --all --yes');
    await walk.until(async () => (await walk.server.call('/api/agents?live=1')).agents.length === 0, 'no agent lives');
    const { stdout } = await walk.baton('baton stop');
    must(/stopped/.test(stdout), stdout);
  });
  await walk.step('the next morning nothing needs the operator, and the three are among the ended agents', async () => {
    await walk.server.start();
    for (const tab of context.pages()) await tab.close();
    await walk.signIn();
    await walk.open.getByRole('heading', { name: 'No agents running' }).waitFor();
    await walk.follow('Ended');
    const ended = walk.open.getByRole('table', { name: 'Ended agents' });
    for (const name of ['Con', 'Eve', 'Ida']) await ended.getByText(name).first().waitFor();
    const { stdout } = await walk.baton('baton status');
    must(stdout.includes('Nothing needs you.'), stdout);
  });
}
