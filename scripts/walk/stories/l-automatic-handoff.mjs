import { must } from '../walker.mjs';

/**
 * Story: the operator switches automatic handoffs on, stops one countdown, and lets the next countdown run out. Then
 * the operator decides about the lesson and the open question in the handoff document.
 * @param {import('../walker.mjs').Walk} walk
 */
export async function automaticHandoff(walk) {
  const shop = walk.folder('shop', { contextWindow: 9_000 });
  await walk.baton('baton persona register --role developer --name Con');
  await walk.baton('baton agent start --persona Con', { cwd: shop });
  await walk.idle('Con');
  await walk.baton('baton agent send Con "[[practice:question Which license?]] [[practice:lesson Lint first.]]"');
  await walk.idle('Con');

  await walk.step('`baton policy set auto` switches automatic handoffs on for the persona', async () => {
    await walk.baton('baton policy set auto --persona con --idle 1 --countdown 20s');
    await walk.baton('baton agent send Con "[[practice:context 90]]"');
  });
  await walk.step('the card shows the countdown, and one click cancels it', async () => {
    await walk.signIn();
    await walk.press('Cancel automatic handoff of Con, agent 1');
    const { stdout } = await walk.baton('baton policy show Con');
    must(/A person canceled the automatic handoff/.test(stdout), stdout);
  });
  await walk.step('a new policy begins another countdown, and nobody clicks: the successor takes over', async () => {
    await walk.baton('baton policy set auto --agent 1 --idle 1 --countdown 2s');
    await walk.open.getByRole('article', { name: 'Con, agent 2' }).waitFor();
    await walk.open
      .getByRole('article', { name: 'Con, agent 2' })
      .getByText(/continues agent 1/i)
      .waitFor();
  });
  await walk.step('`baton inbox history` says what Baton did by itself, and why', async () => {
    const { stdout } = await walk.baton('baton inbox history');
    must(/Baton began the handoff by itself/.test(stdout), stdout);
  });
  await walk.step(
    'the persona shows the open question and the lesson, and the operator accepts the lesson',
    async () => {
      const points = await walk.baton('baton persona points con');
      must(/Which license\?/.test(points.stdout), points.stdout);
      await walk.follow('Personas');
      await walk.open.getByRole('heading', { name: 'Personas', level: 1 }).waitFor();
      await walk.follow(/^Con\b/);
      await walk.open.getByRole('tab', { name: /^Lessons/ }).click();
      await walk.press(/^Accept lesson 1\b/);
      await walk.reads('Lesson 1 is in experience.md.');
      const { stdout } = await walk.baton('baton persona experience con');
      must(/- Lint first\. \(handoff 1/.test(stdout), stdout);
    },
  );
}
