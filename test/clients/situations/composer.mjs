// Situations in which the composer is not what it seems: it looks empty but is not, Enter would run a shell command, or
// another program has the terminal. Baton must then type neither a message nor the command that ends the client.

import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../baton-with-client.mjs';
import { ask, expect, runOver } from '../handoff-scene.mjs';

/** @typedef {import('./stage.mjs').Situation} Situation */
/** @typedef {import('./stage.mjs').Stage} Stage */

const editor = { EDITOR: 'vi', VISUAL: 'vi' };
const BLANKS = '   ';

/**
 * Sends a message while something blocks the composer. Baton may refuse the message or deliver it without removing the
 * obstacle. Expects that the screen still shows the obstacle.
 */
async function untouched(/** @type {Stage} */ stage, /** @type {RegExp} */ shown) {
  const verdict = await stage.send('past the obstacle');
  if (verdict.verdict === 'accepted') await stage.idle();
  else expect(verdict.verdict === 'refused', JSON.stringify(verdict));
  const screen = await stage.screen();
  if (!shown.test(screen)) {
    stage.draftSpoiled++;
    stage.wrong.push(`the obstacle is not as it was:\n${screen.slice(-600)}`);
  }
}

/**
 * Asks Baton to end the agent. Expects that Baton does not type the exit command, and that the inbox says that Baton
 * did not type it.
 */
async function isNotEnded(/** @type {Stage} */ stage) {
  const told = async () => {
    const { items } = await stage.baton.call('GET', '/api/inbox');
    return JSON.stringify(items).includes('was not asked to exit');
  };
  await stage.baton.call('POST', `/api/agents/${stage.id}/stop`, {});
  await until('the notice that the agent was not asked to exit', told, Boolean, 30_000);
  expectNoExit(stage, await stage.screen());
}

function expectNoExit(/** @type {Stage} */ { model }, /** @type {string} */ screen) {
  expect(
    !model.requests.some(({ prompt }) => prompt.trim() === '/exit'),
    'the model got the command /exit as a prompt',
  );
  expect(!screen.includes('/exit'), `the terminal shows the command /exit:\n${screen.slice(-600)}`);
}

async function ends(/** @type {Stage} */ stage) {
  await stage.baton.call('POST', `/api/agents/${stage.id}/stop`, {});
  await stage.state(/^ended/);
}

const shellMode = (/** @type {Stage} */ { client }) => (client.id === 'codex' ? /^!\s*$/m : /^ *┃ {2}Shell\b/m);

/** @type {Situation[]} */
export const COMPOSER = [
  {
    name: 'blank_draft',
    about: 'An agent with only spaces in its composer is not ended, and the model never gets the command /exit.',
    play: async (stage) => {
      await stage.type(BLANKS);
      await sleep(1_500);
      await isNotEnded(stage);
      await stage.press(...stage.client.keys.clear);
      await sleep(1_000);
      await stage.arrives('After the spaces.');
      await ends(stage);
    },
  },
  {
    name: 'handoff_past_blanks',
    about: 'A handoff of an agent with only spaces in its composer waits for the operator and then completes.',
    play: async (stage) => {
      await stage.type(BLANKS);
      await sleep(1_500);
      const id = await ask(stage.scene);
      await until(
        'the wait for the composer',
        () => stage.baton.call('GET', `/api/runs/${id}`),
        (run) => run.over || /composer/.test(JSON.stringify(run)),
        90_000,
      );
      await sleep(2_000);
      expectNoExit(stage, await stage.screen());
      await stage.press(...stage.client.keys.clear);
      const run = await runOver(stage.scene, id);
      expect(run.step === 'completed' || /composer|unsent/i.test(run.failure?.sentence), JSON.stringify(run.failure));
      expectNoExit(stage, '');
    },
  },
  {
    name: 'shell_mode',
    about: 'Baton types nothing into a composer whose text would run as a shell command.',
    play: async (stage) => {
      await stage.type('!');
      await stage.sees(shellMode(stage));
      await untouched(stage, shellMode(stage));
      await isNotEnded(stage);
      await stage.press('BSpace');
      await sleep(1_000);
      await stage.arrives('After the shell mode.');
      await ends(stage);
    },
  },
  {
    name: 'shell_mode_by_pane',
    about: 'A message that Baton would type is refused while the text of the composer would run as a shell command.',
    byPane: true,
    play: async (stage) => {
      await stage.type('!');
      await stage.sees(shellMode(stage));
      await stage.refused('draft');
      expect(shellMode(stage).test(await stage.screen()), 'the composer is not as it was');
      await stage.press('BSpace');
      await sleep(1_000);
      await stage.arrives('After the shell mode.');
    },
  },
  {
    name: 'mention_open',
    about: 'A list of files that the operator has opened with @ stays open, and Baton chooses nothing from it.',
    play: async (stage) => {
      await stage.type('look at @sr');
      await stage.sees(stage.client.shows.draft('look at @sr'));
      await sleep(1_500);
      await untouched(stage, stage.client.shows.draft('look at @sr'));
      await isNotEnded(stage);
    },
  },
  {
    name: 'history_search',
    about: 'Baton types nothing into the search in earlier prompts.',
    play: async (stage) => {
      await sleep(1_500);
      await stage.press(...(stage.client.keys.search ?? []));
      await stage.sees(/reverse-i-search/);
      await untouched(stage, /reverse-i-search/);
      await isNotEnded(stage);
      await stage.press('Escape');
      await sleep(1_000);
      await stage.arrives('After the search.');
      await ends(stage);
    },
  },
  {
    name: 'external_editor',
    about:
      "Baton types nothing into the operator's editor, and a message arrives at the latest after the editor is closed.",
    setting: { env: editor },
    play: async (stage) => {
      await sleep(1_500);
      await stage.press(...(stage.client.keys.editor ?? []));
      await stage.sees(/^~/m);
      await untouched(stage, /^~/m);
      await isNotEnded(stage);
      await stage.type(':q!');
      await stage.press('Enter');
      await stage.sees(stage.client.shows.composer);
      await sleep(1_500);
      await stage.arrives('After the editor.');
      await ends(stage);
    },
  },
  {
    name: 'suspended',
    about: 'After Ctrl+Z the client still shows its composer, gets messages and can be ended.',
    play: async (stage) => {
      await sleep(1_500);
      await stage.press('C-z');
      await sleep(2_500);
      await stage.sees(stage.client.shows.composer);
      await stage.arrives('After Ctrl+Z.');
      await stage.prompt('My own words.');
      await until(
        'the prompt at the model',
        async () => stage.model.requests.some(({ prompt }) => prompt.trim() === 'My own words.'),
        Boolean,
      );
      await sleep(500);
      await stage.idle();
      await ends(stage);
    },
  },
];
