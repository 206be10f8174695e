// Situations in which the operator uses commands of the client itself, or the agent uses tools that change what the
// terminal shows. The commands and tools were taken from the client's documentation and source, not from Baton's code.

import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../baton-with-client.mjs';
import { expect } from '../handoff-scene.mjs';

/** @typedef {import('./stage.mjs').Situation} Situation */
/** @typedef {import('./stage.mjs').Stage} Stage */

/** Returns the last request whose prompt is the given text, without the client's requests for titles and the like. */
const heardWith = (/** @type {Stage} */ { model }, /** @type {string} */ text) =>
  model.requests.findLast(({ prompt, tools }) => tools.length > 0 && prompt.trim() === text);

/** Types a prompt as the operator and waits until the model has the prompt. */
async function promptAndHear(/** @type {Stage} */ stage, /** @type {string} */ text) {
  await stage.prompt(text);
  await until('the prompt at the model', async () => heardWith(stage, text), Boolean);
  await sleep(500);
  await stage.idle();
}

/** Makes the model use the named tool at the next request whose prompt begins with the given text. */
const usesTool = (/** @type {Stage} */ { model }, /** @type {string} */ text, /** @type {string} */ name, input = {}) =>
  model.instead(
    ({ prompt, tools }) => tools.length > 0 && prompt.startsWith(text),
    () => ({ tool: { name, input } }),
  );

const QUESTION = {
  header: 'Color',
  question: 'Which color shall the door have?',
  options: [
    { label: 'Green', description: 'Like the gate.' },
    { label: 'Red', description: 'Like the roof.' },
  ],
};

/** @type {Situation[]} */
export const OWN_COMMANDS = [
  {
    name: 'own_shell_command',
    about: 'A message while the operator runs a shell command in the client is refused.',
    play: async (stage) => {
      await sleep(1_500);
      await stage.type('!');
      await sleep(700);
      await stage.type('sleep 12');
      await stage.sees(/sleep 12/);
      await sleep(700);
      await stage.press('Enter');
      await stage.works();
      await stage.refused('busy');
      const { state_reason: why } = await stage.idle();
      expect(!/interrupted|failed/.test(why), `after the command it is called: ${why}`);
      await stage.arrives('After my own command.');
    },
  },
  {
    name: 'prompt_taken_back',
    about: 'After the operator takes a prompt back, the prompt stays in the composer, and Baton never sends it.',
    play: async (stage) => {
      await promptAndHear(stage, 'Paint the door.');
      await sleep(1_500);
      await stage.client.takesBack?.(stage);
      await stage.sees(stage.client.shows.draft('Paint the door.'));
      await sleep(1_500);
      const before = stage.model.requests.length;
      const verdict = await stage.send('Without the door.');
      if (verdict.verdict === 'accepted') {
        await until('the message at the model', async () => heardWith(stage, 'Without the door.'), Boolean);
        const heard = heardWith(stage, 'Without the door.');
        expect(!heard?.conversation.includes('Paint the door.'), 'the prompt that was taken back is still heard');
        await stage.idle();
      } else expect(verdict.verdict === 'refused' && verdict.reason === 'draft', JSON.stringify(verdict));
      const again = stage.model.requests.slice(before).some(({ prompt }) => prompt.startsWith('Paint the door.'));
      expect(!again, 'the prompt that was taken back was sent');
      if (!stage.client.shows.draft('Paint the door.').test(await stage.screen())) stage.draftSpoiled++;
      await stage.press(...stage.client.keys.clear);
      await sleep(1_000);
      await stage.arrives('After the composer is empty.');
    },
  },
  {
    name: 'other_session',
    about: 'After the operator goes on in another session of the client, a message arrives in that session.',
    play: async (stage) => {
      await sleep(1_500);
      await stage.prompt(stage.client.commands.other ?? '');
      await sleep(3_000);
      await promptAndHear(stage, 'I go on in here.');
      await stage.arrives('Follow me.');
      expect(heardWith(stage, 'Follow me.')?.conversation.includes('I go on in here.'), 'it went to the old session');
    },
  },
  {
    name: 'agent_asks',
    about: 'A message while the agent asks the operator a question of its own is refused, and the question stays.',
    play: async (stage) => {
      if (stage.client.commands.asks !== undefined) {
        await sleep(1_500);
        await stage.prompt(stage.client.commands.asks);
        await sleep(1_500);
      }
      const { client } = stage;
      usesTool(stage, 'Ask me a question.', client.questionTool ?? 'question', {
        questions: [{ ...QUESTION, ...(client.questionTool === undefined ? {} : { id: 'color' }) }],
      });
      await stage.send('Ask me a question.');
      await stage.state(/^awaiting_input/);
      await stage.sees(/Which color shall the door have/);
      await stage.refused('dialog');
      await sleep(1_000);
      expect(/Which color shall the door have/.test(await stage.screen()), 'the question is gone');
      const { question } = await stage.now();
      expect(question?.text.includes('Which color'), `Baton shows: ${JSON.stringify(question)}`);
      const labels = question.options.map((/** @type {any} */ { label }) => label).join();
      expect(/Green/.test(labels) && /Red/.test(labels), `Baton offers: ${labels}`);
      const told = await stage.baton.call('POST', `/api/agents/${stage.id}/answer`, {
        question: question.id,
        choice: 2,
      });
      expect(told.verdict === 'accepted', JSON.stringify(told));
      await stage.idle();
      const result = stage.model.requests.findLast(({ toolResult }) => toolResult !== null)?.toolResult ?? '';
      expect(/Red/.test(result) && !/Green/.test(result), `the agent heard: ${result}`);
      await stage.arrives('After the answer.');
    },
  },
  {
    name: 'subagent_asks',
    about: 'An agent whose subagent asks for permission waits for the operator, and a message is refused.',
    play: async (stage) => {
      usesTool(stage, 'Let another do it.', 'task', {
        description: 'Makes a file',
        prompt: 'Make it. ⟦ask touch by-subagent⟧',
        subagent_type: 'general',
      });
      await stage.send('Let another do it.');
      await stage.state(/^awaiting_input/);
      await stage.sees(stage.client.shows.dialog);
      await stage.refused('dialog');
      await sleep(1_000);
      await stage.press(...stage.client.keys.allow);
      await stage.idle();
      await stage.arrives('After the subagent.');
    },
  },
  {
    name: 'side_conversation',
    about: 'A message while the operator has a side conversation arrives once, in the conversation of the agent.',
    play: async (stage) => {
      await sleep(1_500);
      await stage.prompt('/side');
      await sleep(2_500);
      await stage.prompt('Only aside. ⟦slow 4⟧');
      await until(
        'the side conversation at the model',
        async () => stage.model.requests.some(({ prompt }) => prompt.startsWith('Only aside.')),
        Boolean,
      );
      const verdict = await stage.send('Beside the side.');
      if (verdict.verdict === 'accepted') {
        await until('the message at the model', async () => heardWith(stage, 'Beside the side.'), Boolean);
        const heard = heardWith(stage, 'Beside the side.');
        expect(!heard?.conversation.includes('Only aside.'), 'it went to the side conversation');
      }
      await sleep(6_000);
      // Press Ctrl-C, which closes the side conversation of the client. The terminal then shows the conversation of the
      // agent again.
      await stage.press('C-c');
      await sleep(2_000);
      await stage.idle();
      await stage.arrives('Back in the agent.');
      const heard = heardWith(stage, 'Back in the agent.');
      expect(!heard?.conversation.includes('Only aside.'), 'the agent has the side conversation');
    },
  },
  {
    name: 'background_terminal',
    about: 'An agent whose command goes on in the background is idle, gets a message, and can be stopped.',
    play: async (stage) => {
      usesTool(stage, 'Start a server.', 'exec_command', { cmd: 'sleep 300', yield_time_ms: 500 });
      await stage.send('Start a server.');
      await stage.idle();
      await stage.arrives('While the server runs.');
      await stage.baton.call('POST', `/api/agents/${stage.id}/stop`, {});
      await stage.state(/^ended/);
    },
  },
];
