import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { must } from '../walker.mjs';

const TEAM = `agents:
  - { name: Ada, role: backend developer, project: shop, prompt: Do the next step of PLAN.md. }
  - { name: Bo, role: frontend developer, project: shop, prompt: Do the next step of PLAN.md. }
  - { name: Cy, role: release engineer, project: shop }
  - { name: Di, role: technical writer, project: site, prompt: Do the next step of PLAN.md. }
  - { name: Ed, role: designer, project: site }
  - { name: Fay, role: tester, project: site }
  - { name: Kit, role: data engineer, project: data }
  - { name: Lou, role: analyst, project: data }
`;

/**
 * Story: eight agents ran at night. In the morning the operator finds out which of them needs help, and handles the
 * most urgent one first.
 * @param {import('../walker.mjs').Walk} walk
 */
export async function morning(walk) {
  for (const name of ['shop', 'site']) walk.folder(name);
  walk.folder('data', { handoff: 'ignore_once' });
  writeFileSync(join(walk.server.folder, 'team.yaml'), TEAM);
  await walk.baton('baton up team.yaml');
  await walk.idle('Ada', 'Bo', 'Cy', 'Di', 'Ed', 'Fay', 'Kit', 'Lou');
  // Let one agent ask a question, and then let the handoff of another agent fail. A list that is sorted by age would
  // begin with the question, which is less urgent.
  await walk.baton('baton agent send Cy "Publish. [[practice:dialog Bash(rm -rf build && npm publish)]]"', {
    mayFail: true,
  });
  await walk.until(async () => (await walk.agent('Cy'))?.state === 'awaiting_input', 'Cy asks');
  await walk.baton('baton handoff Kit --watch', { mayFail: true });
  const [kit, cy] = [await walk.agent('Kit'), await walk.agent('Cy')];

  await walk.step('`baton status` names the failure before the question', async () => {
    const { stdout } = await walk.baton('baton status');
    must(stdout.includes('8 agents'), `the digest does not count 8 agents:\n${stdout}`);
    const [failed, asks] = [stdout.indexOf('Kit'), stdout.indexOf('Cy')];
    must(failed > 0 && asks > failed, `the digest does not name Kit before Cy:\n${stdout}`);
  });
  await walk.step('`baton ps` says what each of the eight agents needs', async () => {
    const { stdout } = await walk.baton('baton ps');
    const row = (/** @type {string} */ name) => stdout.split('\n').find((line) => line.includes(` ${name} `)) ?? '';
    must(/failed/i.test(row('Kit')), `the row of Kit does not say that the handoff failed:\n${stdout}`);
    must(/npm publish/.test(row('Cy')), `the row of Cy does not say what it asks:\n${stdout}`);
    must(stdout.trim().split('\n').length === 9, `not one row per agent:\n${stdout}`);
  });
  await walk.step('the page begins with the two agents that need the operator, the failure first', async () => {
    await walk.signIn();
    await walk.open.getByRole('heading', { name: 'Agents', exact: true }).waitFor();
    const cards = needing(walk).getByRole('article');
    await cards.nth(1).waitFor();
    must((await cards.count()) === 2, `${await cards.count()} cards need the operator, not 2`);
    must((await cards.nth(0).getAttribute('aria-label')) === `Kit, agent ${kit.id}`, 'the first card is not Kit');
    must((await cards.nth(1).getAttribute('aria-label')) === `Cy, agent ${cy.id}`, 'the second card is not Cy');
    for (const card of [cards.nth(0), cards.nth(1)]) {
      const box = await card.getByRole('button').last().boundingBox();
      must(box !== null && box.y + box.height < 900, 'the buttons of the cards need scrolling');
    }
  });
  await walk.step('the failed handoff is asked again from its card, and completes', async () => {
    await walk.press(/^Request document again, handoff 1 /, needing(walk));
    await walk.follow('Open handoff 1');
    await walk.open.getByRole('heading', { name: /^Handoff 1/, level: 1 }).waitFor();
    await walk.reads('Completed');
  });
  await walk.step('the question is answered from its card: no', async () => {
    await walk.follow('Agents');
    await needing(walk).getByText('rm -rf build && npm publish').first().waitFor();
    await walk.press(new RegExp(`^2 No.*: answer to .*, agent ${cy.id}$`), needing(walk));
    await walk.reads('Nothing needs you.');
  });
  await walk.step('`baton status` agrees that nothing needs the operator', async () => {
    const { stdout } = await walk.baton('baton status');
    must(stdout.includes('Nothing needs you.'), stdout);
  });
}

/** @param {import('../walker.mjs').Walk} walk */
const needing = (walk) => walk.open.getByRole('list', { name: 'Needs you, worst first' });
