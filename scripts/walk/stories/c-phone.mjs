import { performance } from 'node:perf_hooks';
import { startNtfyStandIn } from '../ntfy-stand-in.mjs';
import { must } from '../walker.mjs';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/**
 * Story: a handoff fails at night. The operator has only the phone, and every tab was closed.
 * @param {import('../walker.mjs').Walk} walk
 */
export async function failedAtNight(walk) {
  const ntfy = await startNtfyStandIn();
  walk.endings.push(ntfy.stop);
  const shop = walk.folder('shop', { handoff: 'ignore_once' });
  await walk.baton(`baton settings set notifications.ntfy ${ntfy.address}/a-topic-of-mine`);
  await walk.baton('baton persona register --role developer --name Con');
  await walk.baton('baton agent start --persona Con', { cwd: shop });
  const phone = await walk.signIn(PHONE);
  await walk.open.getByRole('heading', { name: 'Agents', exact: true }).waitFor();
  for (const tab of phone.pages()) await tab.close();
  await walk.baton('baton handoff Con --watch', { mayFail: true });
  let began = 0;

  const link = await walk.step('the notification names the agent and what happened, without a command', async () => {
    await walk.until(async () => ntfy.received.length > 0, 'a notification arrives');
    const [{ headers, body }] = /** @type {[import('../ntfy-stand-in.mjs').Received]} */ (ntfy.received);
    must(/Handoff 1 of Con \(agent 1\) failed/.test(String(headers.title)), `the title is "${headers.title}"`);
    must(!/baton [a-z]/.test(body), `the text names a command: ${body}`);
    const address = String(headers.click);
    must(/^http:\/\/127\.0\.0\.1:\d+\/#\/runs\/1$/.test(address), `the link is ${address}`);
    return address;
  });
  await walk.step(
    'a browser that is not signed in sees only the sign-in page: the link carries no authority',
    async () => {
      const stranger = await walk.given.browser.newContext(PHONE);
      walk.contexts.push(stranger);
      await walk.openTab(stranger, link);
      await walk.reads('Sign in:');
      must((await walk.open.getByText(/\bCon\b/).count()) === 0, 'the sign-in page names the agent');
      await walk.open.close();
    },
  );
  await walk.step(
    'the phone opens the link and is still signed in: the failure, and its button above the fold',
    async () => {
      began = performance.now();
      await walk.openTab(phone, link);
      await walk.open.getByRole('alert').filter({ hasText: 'document does not exist' }).waitFor();
      const button = walk.open.getByRole('button', { name: /^Request document again, handoff 1 / });
      const box = await button.boundingBox();
      const tabs = await walk.open.getByRole('navigation', { name: 'Pages' }).boundingBox();
      must(box !== null && tabs !== null && box.y + box.height < tabs.y, 'the button needs scrolling');
      must(box !== null && box.height >= 44, 'the button is smaller than a finger');
    },
  );
  await walk.step('one tap, and the handoff completes', async () => {
    await walk.press(/^Request document again, handoff 1 /);
    await walk.reads('Completed');
    await walk.reads(/✓ Verified/);
    const seconds = (performance.now() - began) / 1000;
    must(seconds < 60, `it took ${seconds} s from the link to the end`);
  });
  await walk.step('the inbox is empty, and the operator sleeps on', async () => {
    await walk.follow(/^Inbox/);
    await walk.reads('Nothing needs you');
  });
}
