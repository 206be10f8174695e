import { join } from 'node:path';
import { escaped } from '../life/screen.mjs';

/**
 * A plugin of the operator that records each submitted prompt, as a hook does in other clients. The lock file below
 * claims that opencode's npm package for plugins is installed, because opencode would otherwise download the package
 * first.
 */
const plugin = (/** @type {string} */ command) => `
import { appendFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
export const Notes = async () => ({
  'chat.message': async (_input, { parts }) => {
    const prompt = parts.filter(({ type, synthetic }) => type === 'text' && synthetic !== true).map(({ text }) => text).join('\\n');
    if (prompt === '') return;
    const line = JSON.stringify({ prompt }) + '\\n';
    appendFileSync(process.env.HOME + '/submissions.jsonl', line);
    const { status } = spawnSync('/bin/sh', ['-c', ${JSON.stringify(command)}], { input: line });
    if (status === 2) throw new Error('refused by the policy of the operator');
  },
});
`;

const lock = (/** @type {string} */ version) =>
  JSON.stringify({
    name: 'opencode',
    lockfileVersion: 3,
    packages: { '': { dependencies: { '@opencode-ai/plugin': version } } },
  });

/** The price of one million tokens of each kind, in US dollars. */
const PRICE = { input: 4, output: 20, cache_read: 0.4, cache_write: 5 };

const config = (/** @type {number} */ port) => ({
  $schema: 'https://opencode.ai/config.json',
  autoupdate: false,
  share: 'disabled',
  model: 'stub/stub-model',
  small_model: 'stub/stub-model',
  provider: {
    stub: {
      npm: '@ai-sdk/openai-compatible',
      name: 'Stub',
      options: { baseURL: `http://127.0.0.1:${port}/v1`, apiKey: 'made-up-for-baton' },
      models: {
        'stub-model': { name: 'Stub', tool_call: true, limit: { context: 200_000, output: 8_192 }, cost: PRICE },
      },
    },
  },
  permission: { bash: { '*': 'allow', 'touch *': 'ask' } },
});

/** @type {import('./client.mjs').ClientDescription} */
export const opencode = {
  id: 'opencode',
  package: 'opencode-ai',
  version: '1.18.33',
  programIn: (modules) => join(modules, `opencode-${process.platform}-${process.arch}`, 'bin', 'opencode'),
  start: ({ program, version, port, policy = 'true', noted }) => ({
    env: {
      BATON_OPENCODE: program,
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    },
    files: {
      '.config/opencode/opencode.json': JSON.stringify(config(port)),
      '.config/opencode/plugin/notes.js': plugin(noted === undefined ? policy : `${noted}; ${policy}`),
      '.config/opencode/node_modules/.keep': '',
      '.config/opencode/package.json': JSON.stringify({ dependencies: { '@opencode-ai/plugin': version } }),
      '.config/opencode/package-lock.json': lock(version),
    },
  }),
  // Expect a space at the end of a typed prompt: if the composer of opencode shows a pasted text as a placeholder,
  // opencode adds a space after the text. A prompt that arrives through the API has no such space.
  typedEnd: ' ',
  shows: {
    composer: /^ *╹▀{8}/m,
    empty: /^ *┃\n *┃(?: {2}Ask anything.*)?\n *┃\n *┃ {2}Build/m,
    draft: (text) => new RegExp(`^ *┃ {2}${escaped(text)}`, 'm'),
    chip: /\[Pasted ~/,
    working: /esc (?:again to )?interrupt/,
    words: /word word/,
    dialog: /△ Permission required/,
    question: /△ Permission required[\s\S]*?enter confirm/,
    compacted: /▣ {2}Compaction/,
    cleared: /Ask anything/,
    interrupted: /interrupted/,
  },
  keys: { interrupt: ['Escape', 'Escape'], clear: ['C-u'], allow: ['Enter'], queue: 'Enter', editor: ['C-x', 'e'] },
  percentOf: (used, window) => Math.round((100 * used) / (window - 8_192)),
  ways: { api: {}, pane: { BATON_OPENCODE_API: 'off' } },
  serverProcess: /opencode serve /,
  terminalProcess: /opencode attach /,
  // Two numbers of used tokens: at `below`, opencode does not compact, and at `above`, it compacts. The stub model adds
  // the 20 tokens of its own answer to each number.
  compaction: { below: 191_700, above: 191_800 },
  nested: (program, text) => `touch nested && ${program} run '${text}'`,
  commands: { compact: '/compact', clear: '/new', other: '/new', branch: '/fork' },
  // Choose the first row of the list of prompts that the command /fork shows. For the first row, opencode copies the
  // whole session.
  branches: (stage) => stage.press('Enter'),
  subagent: { name: 'task', input: { description: 'Says a word', prompt: 'Say a word.', subagent_type: 'general' } },
  price: PRICE,
  takesBack: (stage) => stage.prompt('/undo'),
  cannot: {
    side_conversation: 'opencode has no side conversations',
    history_search: 'opencode has no search in earlier prompts',
    background_terminal: 'a command of opencode ends with its turn',
    adopt: 'Baton can install no hooks for sessions of opencode that it did not start',
    slow_start: 'the skill goes to the API of opencode, never into a composer that is still loading',
    clear:
      'after /new opencode has no session until its next prompt, and a message from Baton goes to the session of the agent',
    interrupted_before_a_word: 'an interrupted prompt stays in the conversation and does not return to the composer',
    server_killed_before_enter: 'the API gets the instruction, which never stands in the composer',
    blocked_by_policy: 'a plugin cannot refuse a prompt: its error ends in the log of the client',
  },
};
