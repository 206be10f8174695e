import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { must } from '../walker.mjs';

const NAMES = ['Ada', 'Bo', 'Cy', 'Di', 'Ed'];
const ROLES = ['backend developer', 'frontend developer', 'tester', 'technical writer', 'designer'];
const TEAM = NAMES.map(
  (name, at) => `  - { name: ${name}, role: ${ROLES[at]}, worktree: true, prompt: "Say hello from ${name}." }`,
);

/**
 * Story: the operator starts five agents at once, each with its own prompt: on the page, then from a team file.
 * @param {import('../walker.mjs').Walk} walk
 */
export async function fiveAtOnce(walk) {
  const shop = walk.folder('shop');
  const site = walk.folder('site');
  await walk.signIn();

  await walk.step(
    '"Start my own agent" asks for the project, the number of agents, and each persona and prompt',
    async () => {
      await walk.press('Start my own agent');
      const dialog = walk.open.getByRole('dialog', { name: 'Start agent' });
      await walk.fill('Folder', shop, dialog);
      await walk.fill('Number of agents', '5', dialog);
      for (const [at, name] of NAMES.entries()) {
        const ending = `(${at + 1} of 5)`;
        await dialog.getByLabel(`Persona ${ending}`).selectOption({ label: 'New persona…' });
        await walk.fill(`Name of the persona ${ending}`, name, dialog);
        await walk.fill(`Role of the persona ${ending}`, ROLES[at] ?? '', dialog);
        await dialog.getByLabel(`First prompt ${ending}`).fill(`Say hello from ${name}.`);
      }
      await dialog.getByRole('checkbox', { name: /^Use a separate git worktree/ }).check();
    },
  );
  await walk.step('one press starts all five', async () => {
    await walk.press('Start 5 agents');
    await walk.reads(/^5 agents are starting: 1, 2, 3, 4, 5\./);
    for (const [at, name] of NAMES.entries())
      await walk.open.getByRole('article', { name: `${name}, agent ${at + 1}` }).waitFor();
  });
  await walk.step('each agent has its own prompt, once, and its own worktree', async () => {
    for (const [at, name] of NAMES.entries()) {
      await walk.open
        .getByRole('article', { name: `${name}, agent ${at + 1}` })
        .getByText(`Say hello from ${name}.`)
        .waitFor();
      must(prompted(walk, at + 1, `Say hello from ${name}.`) === 1, `${name} did not get its prompt once`);
    }
    const folders = await Promise.all(NAMES.map(async (name) => (await walk.agent(name))?.folder));
    must(new Set(folders).size === 5 && !folders.includes(shop), `the folders are ${folders.join(', ')}`);
  });
  await walk.step('`baton up team.yaml --dry-run` says what would be started, and starts nothing', async () => {
    writeFileSync(join(site, 'team.yaml'), `agents:\n${TEAM.join('\n')}\n`);
    const { stdout } = await walk.baton('baton up team.yaml --dry-run', { cwd: site });
    for (const name of NAMES) must(stdout.includes(`Would start ${name} in ${site}`), stdout);
    must((await walk.server.call('/api/agents?live=1')).agents.length === 5, 'the dry run started an agent');
  });
  await walk.step('`baton up team.yaml` starts the team in the other project, with the same personas', async () => {
    const { stdout } = await walk.baton('baton up team.yaml', { cwd: site });
    for (const [at, name] of NAMES.entries()) {
      must(stdout.includes(`${name} (agent ${at + 6}) is ready`), stdout);
      must(prompted(walk, at + 6, `Say hello from ${name}.`) === 1, `${name} did not get its prompt once`);
    }
  });
  await walk.step('a second `baton up team.yaml` starts nobody twice', async () => {
    const { stdout } = await walk.baton('baton up team.yaml', { cwd: site });
    must(stdout.includes('The whole team is already running.'), stdout);
  });
  await walk.step('the page shows all ten, and nothing needs the operator', async () => {
    await walk.reads('10 live');
    await walk.reads('Nothing needs you.');
  });
}

/**
 * Counts how often the agent's model got a prompt that contains this text. Uses the log that the practice agent writes
 * itself.
 *
 * @param {import('../walker.mjs').Walk} walk
 * @param {number} id
 * @param {string} text
 */
function prompted(walk, id, text) {
  const log = readFileSync(join(walk.server.home, 'agents', String(id), 'practice.jsonl'), 'utf8');
  const lines = log.split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line)).filter((each) => each.type === 'submitted' && each.text?.includes(text))
    .length;
}
