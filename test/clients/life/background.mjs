// Situations with shells and subagents that continue after the turn has ended. In release 2.1.325 the client moves
// subagents to the background without being asked.

import { isInstruction } from '../handoff-scene.mjs';
import { documentWantedBy } from '../model/stub-model.mjs';
import { answerByCommand } from './blocked.mjs';

/** @typedef {import('./stage.mjs').Situation} Situation */
/** @typedef {import('./stage.mjs').Stage} Stage */

const ALLOWED = { settings: { permissions: { allow: ['Bash', 'Agent', 'Task'] } } };
const RESULT = 'subagent-result-77';

const asks = (/** @type {RegExp} */ prompt) => (/** @type {any} */ asked) =>
  asked.toolResult === null && (asked.body.tools ?? []).length > 0 && prompt.test(asked.prompt);

async function startShell(/** @type {Stage} */ stage) {
  const input = { command: 'sleep 300', description: 'Dev server', run_in_background: true };
  stage.model.instead(asks(/Start the server/), () => ({ tool: { name: 'Bash', input } }));
  await stage.tell('Start the server, please.');
  await stage.clientSays('shell');
}

const subagent = () => ({
  tool: {
    name: 'Agent',
    input: { description: 'Looks around', prompt: 'Take your time here.', subagent_type: 'general-purpose' },
  },
});

async function startSubagent(/** @type {Stage} */ stage, slowMs = 12_000) {
  stage.model.instead(asks(/^Send somebody/), subagent);
  stage.model.instead(asks(/Take your time here/), () => ({ text: RESULT, slowMs }));
  await stage.tell('Send somebody to look around.');
  await stage.sees(/Waiting for 1 background agent/);
}

const toldOf = (/** @type {any} */ request) => JSON.stringify(request?.body.messages ?? '').includes(RESULT);

/** @type {Situation[]} */
export const BACKGROUND = [
  {
    name: 'background_shell',
    finding: 'L4, L13',
    about:
      'a dev server runs in the background: the handoff leaves by itself or asks in a way that works, and says what it stops',
    setting: ALLOWED,
    never: [/can only be answered in the agent's terminal/, /has no option \d+ that can be chosen/],
    play: async (stage) => {
      await startShell(stage);
      const id = await stage.click();
      const asksUs = () => stage.watch.sentences(/^inbox list/).find((sentence) => /background/i.test(sentence));
      const run = await stage.until(
        'its end or a question',
        async () => ({ ...(await stage.run(id)), asked: asksUs() }),
        ({ over, asked }) => over || asked,
      );
      if (!run.over) {
        const shown = await stage.shell(['handoff', 'show', String(id)]);
        stage.expect(/background/i.test(shown.output), `handoff show has no word about the question: ${shown.output}`);
        const advised = stage.watch.sentences(/^inbox list/).some((sentence) => /--choice/.test(sentence));
        if (advised) await answerByCommand(stage);
      }
      await stage.completes(id, undefined, 40_000);
      const told = stage.watch.sentences().some((sentence) => /background|shell|dev server/i.test(sentence));
      stage.expect(told, 'nothing says that a background task was stopped');
    },
  },
  {
    name: 'background_shell_send',
    about: 'a message to an agent at rest whose dev server runs is typed and arrives once',
    setting: ALLOWED,
    play: async (stage) => {
      await startShell(stage);
      await stage.tell('And now the tests.');
      const heard = stage.model.requests.filter(asks(/^And now the tests/)).length;
      stage.expect(heard === 1, `the model heard it ${heard} times`);
    },
  },
  {
    name: 'background_shell_text_only',
    finding: 'L16',
    about:
      'no document is written while a dev server runs: the run fails at once and says that the document does not exist',
    setting: ALLOWED,
    play: async (stage) => {
      await startShell(stage);
      stage.model.instead(isInstruction, () => ({ text: 'I would rather not.' }));
      const id = await stage.click();
      await stage.until('the answer', () => stage.model.requests.some(isInstruction));
      const run = await stage.runWhen(id, ({ over }) => over, 20_000).catch(() => stage.run(id));
      stage.expect(/does not exist/.test(run.failure?.sentence), `20 s later: ${run.step} ${run.failure?.sentence}`);
    },
  },
  {
    name: 'subagent_running',
    finding: 'L3',
    about: 'a subagent runs in the background at the click: the instruction waits for its result',
    setting: ALLOWED,
    play: async (stage) => {
      await startSubagent(stage);
      const id = await stage.click();
      await stage.says('handoff show', /background|subagent|working/i, 8_000);
      await stage.completes(id, undefined, 45_000);
      stage.expect(
        toldOf(stage.model.requests.find(isInstruction)),
        'the document was asked for before the subagent had its result',
      );
    },
  },
  {
    name: 'subagent_send',
    finding: 'L3',
    about: 'a message while a subagent runs in the background is refused as busy',
    setting: ALLOWED,
    play: async (stage) => {
      await startSubagent(stage, 8_000);
      const verdict = await stage.send('never-to-be-queued');
      stage.expect(verdict.verdict === 'refused' && verdict.reason === 'busy', JSON.stringify(verdict));
      await stage.clientSays('idle');
    },
  },
  {
    name: 'subagent_in_document_turn',
    finding: 'L3, L4',
    about: 'the document turn starts a subagent: /exit waits for it, and no exit dialog opens',
    setting: ALLOWED,
    play: async (stage) => {
      stage.model.instead(asks(/Take your time here/), () => ({ text: RESULT, slowMs: 8_000 }));
      stage.model.play(isInstruction, subagent, ({ texts }) => {
        const wanted = documentWantedBy(texts.findLast((text) => /handoff-end:/.test(text)) ?? '');
        return { tool: { name: 'Write', input: { file_path: wanted?.path, content: wanted?.content } } };
      });
      const id = await stage.click();
      await stage.completes(id, undefined, 45_000);
      const dialog = [...stage.watch.panes.values()].some(({ chunks }) =>
        Buffer.concat(chunks.map(({ bytes }) => bytes)).includes('stop tasks'),
      );
      stage.expect(!dialog, 'the exit dialog "Background work is running" was opened');
    },
  },
];
