import { must } from '../walker.mjs';

/**
 * Story: a colleague asks why something was decided. The operator finds the decision in the handoff document of an
 * agent that has ended, and opens the document at the right line.
 * @param {import('../walker.mjs').Walk} walk
 */
export async function yesterdaysDecision(walk) {
  const shop = walk.folder('shop');
  await walk.baton('baton persona register --role developer --name Con');
  await walk.baton('baton agent start --persona Con', { cwd: shop });
  await walk.idle('Con');
  await walk.baton('baton agent send Con "Do the next step of PLAN.md, with exponential backoff."');
  await walk.idle('Con');
  await walk.baton('baton handoff Con --watch');

  await walk.step('`baton search` finds the words in the prompt and in the handoff document', async () => {
    const { stdout } = await walk.baton('baton search "exponential backoff" --since 7d');
    must(/Prompt to Con \(agent 1\)/.test(stdout), `the prompt is not found:\n${stdout}`);
    must(/Handoff document of Con \(agent 1\)/.test(stdout), `the document is not found:\n${stdout}`);
    must(/baton handoff show 1 --document +\(line \d+\)/.test(stdout), `the hit does not lead to a line:\n${stdout}`);
  });
  await walk.step(
    'the page Search shows the decisions of yesterday and leads to the line of the document',
    async () => {
      await walk.signIn();
      await walk.follow('Search');
      await walk.fill('Words', 'decisions');
      const hits = walk.open.getByRole('list', { name: 'Hits' });
      await hits.getByRole('link', { name: 'Decisions in the handoff document of Con (agent 1)' }).click();
      await walk.open.getByRole('heading', { name: /^Handoff 1/, level: 1 }).waitFor();
      await walk.open.getByRole('tab', { name: 'Raw', selected: true }).waitFor();
    },
  );
}
