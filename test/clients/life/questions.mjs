// Situations in which the client asks a question or lacks a permission. The run and the inbox must report the problem
// and name a remedy that solves it.

import { setTimeout as sleep } from 'node:timers/promises';
import { isInjection, isInstruction } from '../handoff-scene.mjs';
import { documentWantedBy } from '../model/stub-model.mjs';
import { adviceIsHonest, answerByCommand } from './blocked.mjs';

/** @typedef {import('./stage.mjs').Situation} Situation */
/** @typedef {import('./stage.mjs').Stage} Stage */

const QUESTION = /asks|question|permission/i;

const asked = (/** @type {Stage} */ stage) =>
  stage.baton.agentWhen(stage.agent.id, ({ question }) => question !== null);

const questionOrEnd = (/** @type {Stage} */ stage, /** @type {number} */ id) =>
  stage.until(
    'a question or the end',
    async () => ({ ...(await stage.run(id)), question: (await stage.now()).question }),
    ({ over, question }) => over || question !== null,
  );

/**
 * Expects that the run waits for an answer to the question, that the run and the inbox report the question, and that
 * Baton types nothing.
 * @param {Stage} stage
 * @param {number} id
 */
async function toldOfQuestion(stage, id) {
  await stage.says('handoff show', QUESTION);
  await stage.says('inbox list', QUESTION);
  const shown = await stage.shell(['handoff', 'show', String(id)]);
  const line = /^ {2}waits .*$/m.exec(shown.output)?.[0] ?? '';
  stage.expect(QUESTION.test(line), `handoff show has no line about the question: ${line || 'no "waits" line at all'}`);
}

const select = (/** @type {boolean} */ multiSelect, /** @type {string} */ question) => ({
  question,
  header: question.slice(0, 8),
  multiSelect,
  options: ['Red', 'Blue'].map((label) => ({ label, description: `It is ${label}` })),
});

/** @type {Situation[]} */
export const QUESTIONS = [
  {
    name: 'permission_at_click',
    finding: 'L12',
    about:
      'a permission question stands at the click: run and inbox say so; answered as advised, the handoff completes',
    play: async (stage) => {
      await stage.tell('Make a file. ⟦bash touch made-by-agent⟧');
      await asked(stage);
      const id = await stage.click();
      await toldOfQuestion(stage, id);
      stage.nothingTyped();
      await answerByCommand(stage);
      await stage.completes(id);
    },
  },
  {
    name: 'multi_select',
    finding: 'L13',
    about: 'a list of boxes to tick: nothing advises --choice, because only the terminal can answer it',
    never: [/--choice/],
    play: async (stage) => {
      const questions = [select(true, 'Which colours?'), select(false, 'Which size?')];
      stage.model.instead(
        ({ prompt, toolResult, body }) =>
          toolResult === null && (body.tools ?? []).length > 0 && /^Ask me/.test(prompt),
        () => ({ tool: { name: 'AskUserQuestion', input: { questions } } }),
      );
      await stage.tell('Ask me.');
      await asked(stage);
      const id = await stage.click();
      await stage.says('inbox list', /terminal|attach/i);
      await toldOfQuestion(stage, id);
      stage.nothingTyped();
      await stage.press('Escape');
      await stage.completes(id);
    },
  },
  {
    name: 'plan_mode',
    finding: 'b',
    about:
      'an agent in plan mode: the document comes without a question, or the question names plan mode and can be answered',
    setting: { settings: { permissions: { defaultMode: 'plan' } } },
    play: async (stage) => {
      const id = await stage.click();
      const seen = await questionOrEnd(stage, id);
      if (!seen.over) {
        await stage.says('inbox list', /plan mode/i);
        await answerByCommand(stage);
      }
      await stage.completes(id);
    },
  },
  {
    name: 'document_by_heredoc',
    finding: 'k',
    about:
      'the agent writes the document with Bash: a question is told and can be answered as advised, the handoff completes',
    play: async (stage) => {
      stage.model.instead(isInstruction, ({ prompt }) => {
        const { path = '', content = '' } = documentWantedBy(prompt) ?? {};
        const command = `cat > '${path}' <<'END'\n${content}END`;
        return { tool: { name: 'Bash', input: { command, description: 'Writes it' } } };
      });
      const id = await stage.click();
      const seen = await questionOrEnd(stage, id);
      if (!seen.over) {
        await toldOfQuestion(stage, id);
        await adviceIsHonest(stage);
        await answerByCommand(stage);
      }
      await stage.completes(id);
    },
  },
  {
    name: 'permission_in_40x10',
    finding: 'L19',
    about: 'a long command in a small window: shown whole, or said to be cut and not to be approved from afar',
    setting: { size: [40, 10] },
    play: async (stage) => {
      const words = Array.from({ length: 40 }, (_, number) => `word${number}`).join(' ');
      const command = `echo first-thing ${words} && touch last-thing`;
      await stage.tell(`Run it. ⟦bash ${command}⟧`);
      const { question } = await asked(stage);
      await sleep(1_500);
      const bare = (/** @type {string} */ text) => text.replace(/\s+/g, '');
      if (bare(JSON.stringify(question)).includes(bare(command))) return;
      const { output } = await stage.shell(['agent', 'answer', String(stage.agent.id)]);
      const saysSo = /not (all|the whole|fully|in full)|only part|part of|cut|incomplete|too small|larger|terminal/i;
      stage.expect(saysSo.test(output), `the command is not shown whole, and nothing says so: ${output.trim()}`);
      const { code } = await stage.shell(['agent', 'answer', String(stage.agent.id), '--choice', '1']);
      stage.expect(code !== 0, 'a command that was not shown whole was approved from afar');
    },
  },
  {
    name: 'write_denied',
    finding: 'L18',
    about: "the user's own rule denies Write: the run says that it was denied, not only that the document is missing",
    setting: { settings: { permissions: { deny: ['Write'] } } },
    play: async (stage) => {
      stage.model.instead(isInstruction, ({ prompt }) => {
        const wanted = documentWantedBy(prompt);
        return { tool: { name: 'Write', input: { file_path: wanted?.path, content: wanted?.content } } };
      });
      const id = await stage.click();
      await stage.runWhen(id, ({ over }) => over);
      await stage.says('handoff show', /denied|den(y|ies)|not allowed|permission|rule/i, 3_000);
    },
  },
  {
    name: 'bash_denied_to_the_successor',
    finding: 'L18',
    about:
      "the user's own rule denies Bash: the successor acknowledges another way, or run and inbox say why it cannot",
    setting: { settings: { permissions: { deny: ['Bash'] } } },
    play: async (stage) => {
      const id = await stage.click();
      await stage.runWhen(id, ({ step }) => step === 'awaiting_acknowledgement');
      await stage.until('the turn', () =>
        stage.model.requests.some(({ texts }) =>
          texts.some((text) => isInjection({ prompt: text, toolResult: null, tools: ['one'] })),
        ),
      );
      await sleep(6_000);
      const run = await stage.run(id);
      if (run.acknowledged) return;
      await stage.says('handoff show', /denied|den(y|ies)|not allowed|permission|Bash/i, 8_000);
      await stage.says('inbox list', /acknowledge|denied|permission|Bash/i, 3_000);
    },
  },
];
