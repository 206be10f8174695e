import { startNtfyStandIn } from '../ntfy-stand-in.mjs';
import { must } from '../walker.mjs';

/**
 * Story: the operator sets up notifications, tests them, and opens the inbox item of one notification.
 * @param {import('../walker.mjs').Walk} walk
 */
export async function notifications(walk) {
  const outside = await startNtfyStandIn();
  walk.endings.push(outside.stop);
  const shop = walk.folder('shop');
  await walk.baton('baton persona register --role developer --name Con');
  await walk.baton('baton agent start --persona Con', { cwd: shop });
  const to = (/** @type {string} */ path) => outside.received.filter((each) => each.path === path);
  const context = await walk.signIn();

  await walk.step('Settings has a field for ntfy and one for a webhook; both are saved', async () => {
    await walk.follow('Settings');
    const channels = walk.open.getByRole('region', { name: 'Notification channels' });
    await walk.fill('ntfy', `${outside.address}/a-topic-of-mine`, channels);
    await walk.fill('Webhook', `${outside.address}/hook`, channels);
    await walk.press('Save notification channels', channels);
    await walk.reads('Notification channels saved.');
  });
  await walk.step('"Send test notification" reaches both channels, and says so', async () => {
    await walk.press('Send test notification');
    const channels = walk.open.getByRole('region', { name: 'Notification channels' });
    await channels.getByRole('status').filter({ hasText: /ntfy/ }).waitFor();
    must(to('/a-topic-of-mine').length === 1, 'ntfy did not get the test');
    must(to('/hook').length === 1, 'the webhook did not get the test');
  });
  await walk.step('`baton settings test-notification` does the same', async () => {
    await walk.baton('baton settings test-notification', { mayFail: true });
    must(to('/a-topic-of-mine').length === 2, 'ntfy did not get the test');
  });
  const link = await walk.step(
    'an agent asks: the title names the agent and the command, the text names no command of Baton',
    async () => {
      await walk.baton('baton agent send Con "Publish. [[practice:dialog Bash(npm publish)]]"', { mayFail: true });
      await walk.until(async () => to('/a-topic-of-mine').length > 2, 'ntfy gets the question');
      const { headers, body } = /** @type {import('../ntfy-stand-in.mjs').Received} */ (to('/a-topic-of-mine')[2]);
      must(/^Con \(agent 1\) asks .*npm publish/.test(String(headers.title)), `the title is "${headers.title}"`);
      must(!/baton [a-z]/.test(body), `the text names a command: ${body}`);
      const [button] = JSON.parse(String(headers.actions));
      must(button.action === 'view' && button.label === 'Open agent 1', `the button is ${headers.actions}`);
      return String(headers.click);
    },
  );
  await walk.step('the webhook has the ids and the same address', async () => {
    await walk.until(async () => to('/hook').length > 2, 'the webhook gets the question');
    const told = JSON.parse(to('/hook')[2]?.body ?? '{}');
    must(told.agent_id === 1 && Number.isInteger(told.item_id), `the ids are missing: ${JSON.stringify(told)}`);
    must(told.url === link, `the address is ${told.url}, not ${link}`);
  });
  await walk.step('the link opens the agent with its question, which is answered there', async () => {
    for (const tab of context.pages()) await tab.close();
    await walk.openTab(context, link);
    await walk.open.getByRole('heading', { name: /Con.*agent 1$/, level: 1 }).waitFor();
    await walk.press(/^2 No.*answer to Con, agent 1$/);
    await walk.open.getByRole('status').filter({ hasText: 'The answer has reached agent' }).waitFor();
  });
}
