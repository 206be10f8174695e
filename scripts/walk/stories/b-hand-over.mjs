import { must } from '../walker.mjs';

/**
 * Story: with one click, the operator hands off an agent whose context is 85 % full.
 * @param {import('../walker.mjs').Walk} walk
 */
export async function handOverFull(walk) {
  const shop = walk.folder('shop', { contextWindow: 9_000 });
  await walk.baton('baton persona register --role developer --name Con');
  await walk.baton('baton agent start --persona Con', { cwd: shop });
  const percent = async () => (await walk.agent('Con'))?.context?.used_percent ?? 0;
  for (let turn = 0; turn < 12 && (await percent()) < 85; turn++) {
    await walk.baton('baton agent send Con "Do the next step of PLAN.md."');
    await walk.idle('Con');
  }
  must((await percent()) >= 85, `the context is only ${await percent()} % full`);

  await walk.step('the card of Con says how full its context is, and that it is time to hand over', async () => {
    await walk.signIn();
    const card = walk.open.getByRole('article', { name: 'Con, agent 1' });
    await card.getByText('time to hand over').waitFor();
    const full = await card.getByRole('meter').getAttribute('aria-valuenow');
    must(Number(full) >= 85, `the meter shows ${full}`);
  });
  await walk.step(
    'one click on Handoff; the successor has acknowledged, and a message leads to the handoff',
    async () => {
      await walk.press(/^Handoff.*agent 1$/);
      await walk.follow('Open handoff 1');
    },
  );
  await walk.step('the page of the handoff shows the document and the task in the words of the successor', async () => {
    await walk.open.getByRole('heading', { name: /^Handoff 1/, level: 1 }).waitFor();
    await walk.reads('Completed');
    await walk.open.getByRole('region', { name: /acknowledg/i }).waitFor();
    await walk.open
      .getByRole('region', { name: /document/i })
      .first()
      .waitFor();
  });
  await walk.step('the successor has the name Con, a nearly empty context, and says whom it continues', async () => {
    await walk.follow('Agents');
    const card = walk.open.getByRole('article', { name: 'Con, agent 2' });
    await card.getByText(/continues agent 1/i).waitFor();
    must(Number(await card.getByRole('meter').getAttribute('aria-valuenow')) < 60, 'the context is still full');
  });
  await walk.step('`baton handoff show 1` tells the same', async () => {
    const { stdout } = await walk.baton('baton handoff show 1');
    must(/acknowledged/.test(stdout) && /completed/i.test(stdout), stdout);
  });
}
