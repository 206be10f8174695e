// Situations at the start of a client. The client asks questions, prints a last output and ends at once, or has a
// version that Baton does not know.

import { fileURLToPath } from 'node:url';
import { adviceIsHonest } from './blocked.mjs';

/** @typedef {import('./stage.mjs').Situation} Situation */
/** @typedef {import('./stage.mjs').Stage} Stage */

/** The time limit within which Baton must report the client's question. Baton usually needs about two seconds. */
const SOON_MS = 25_000;
const program = (/** @type {string} */ name) => fileURLToPath(new URL(`programs/${name}`, import.meta.url));

/** Runs `baton agent start` like a person. */
async function startByCommand(/** @type {Stage} */ stage, timeout = 35_000) {
  const argv = ['agent', 'start', '--project', stage.baton.project, '--persona', stage.persona.slug];
  const said = await stage.shell([...argv, '--runtime', 'claude-code'], timeout);
  stage.agent = { id: 1 };
  return said;
}

/** @param {string} name @param {RegExp} question @param {Partial<Situation>} more @returns {Situation} */
const questionAtStart = (name, question, more) => ({
  name,
  finding: 'L13, L14',
  about: 'a question at the start: the command returns with it soon, the inbox has it, and what it advises works',
  ...more,
  setting: { ...more.setting, start: 'none' },
  never: [/attach \d+ --read-only/, ...(more.never ?? [])],
  play: async (stage) => {
    const { code, output, ms } = await startByCommand(stage);
    stage.expect(code !== null && ms < SOON_MS, `baton agent start took ${ms} ms and ended with ${code}`);
    stage.expect(question.test(output), `it does not say what is asked: ${output.trim() || 'nothing'}`);
    await stage.says('inbox list', question);
    await adviceIsHonest(stage);
    stage.expect(stage.model.requests.length === 0, 'something was asked of the model');
  },
});

/** @param {string} name @param {RegExp} words @param {string} about @param {NonNullable<Situation['setting']>} setting @returns {Situation} */
const lastWords = (name, words, about, setting) => ({
  name,
  finding: 'L9',
  about,
  setting: { ...setting, start: 'none' },
  play: async (stage) => {
    const { output } = await startByCommand(stage, 45_000);
    stage.expect(words.test(output), `the command does not say why: ${output.trim()}`);
    await stage.says('agent show', words, 3_000);
    await stage.says('inbox list', words, 3_000);
  },
});

/** @type {Situation[]} */
export const START = [
  questionAtStart('api_key_question', /API key/i, {
    finding: 'L13, L14, L21',
    setting: { claudeJson: { customApiKeyResponses: undefined } },
    never: [/API key\?\s*Yes/],
  }),
  questionAtStart('mcp_approval', /MCP server/i, {
    setting: {
      projectFiles: { '.mcp.json': JSON.stringify({ mcpServers: { files: { command: 'true', args: [] } } }) },
    },
  }),
  questionAtStart('claude_md_imports', /import/i, {
    setting: { projectFiles: { 'CLAUDE.md': 'See @../outside.md\n', '../outside.md': 'outside\n' } },
  }),
  questionAtStart('bypass_warning', /bypass permissions/i, {
    setting: { settings: { permissions: { defaultMode: 'bypassPermissions' } }, env: { IS_SANDBOX: '1' } },
  }),
  ...(process.getuid?.() === 0
    ? [
        lastWords('bypass_as_root', /root/, 'the client refuses bypass mode as root and leaves: its words are told', {
          settings: { permissions: { defaultMode: 'bypassPermissions' } },
        }),
      ]
    : []),
  lastWords(
    'needs_newer_node',
    /requires Node\.js 22/,
    'the client says that it needs a newer Node and leaves: its words are told',
    {
      wrap: () => program('needs-node-22.sh'),
    },
  ),
  {
    name: 'never_configured',
    finding: 'L9',
    about: 'a client that was never set up: its question or its last words are told',
    setting: { claudeJson: null, start: 'none' },
    play: async (stage) => {
      const { output, ms } = await startByCommand(stage, 45_000);
      const told = /connect|theme|text style|log ?in|welcome|set up/i;
      stage.expect(ms < 45_000 && told.test(output), `after ${ms} ms: ${output.trim() || 'nothing'}`);
      await stage.says('inbox list', told, 3_000);
    },
  },
  {
    name: 'version_that_cannot_work',
    finding: 'L10',
    about: 'Claude Code 1.0.128 is refused at the start with a sentence that names its version',
    setting: { wrap: () => program('other-version.sh'), env: { LIFE_VERSION: '1.0.128' }, start: 'none' },
    play: async (stage) => {
      const { code, output } = await startByCommand(stage);
      stage.expect(code !== 0, 'it was started');
      stage.expect(/1\.0\.128/.test(output), `the version is not named: ${output.trim()}`);
      const { output: runtimes } = await stage.shell(['agent', 'runtimes']);
      const told = /not supported|does not work|cannot work|too old|known not to work/i;
      stage.expect(told.test(runtimes), `baton agent runtimes: ${runtimes.trim()}`);
    },
  },
  {
    name: 'version_never_tried',
    finding: 'L25',
    about: 'a version that was never tried is called so by agent runtimes and doctor',
    setting: { wrap: () => program('other-version.sh'), env: { LIFE_VERSION: '9.9.9' }, start: 'none' },
    play: async (stage) => {
      const told = /not (been )?tested|never tested|untested/i;
      for (const argv of [['agent', 'runtimes'], ['doctor']]) {
        const { output } = await stage.shell(argv);
        const line = output.split('\n').find((each) => each.includes('9.9.9')) ?? output;
        stage.expect(told.test(line), `baton ${argv.join(' ')}: ${line.trim()}`);
      }
    },
  },
  {
    name: 'all_hooks_disabled',
    finding: 'L17',
    about:
      "disableAllHooks in the user's settings: the command says that Baton is deaf then and starts nothing, or the inbox says it too",
    setting: { settings: { disableAllHooks: true }, start: 'none' },
    play: async (stage) => {
      const { code, output } = await startByCommand(stage);
      stage.expect(
        /disableAllHooks|hooks are disabled|hooks/i.test(output),
        `the command says: ${output.trim() || 'nothing'}`,
      );
      // If Baton refused the start, there must be no agent.
      const { agents } = await stage.baton.call('GET', '/api/agents');
      if (code !== 0 && agents.length === 0) return;
      await stage.says('inbox list', /hooks/i, 5_000);
      await stage.says('agent show', /hooks/i, 3_000);
    },
  },
  {
    name: 'not_logged_in',
    finding: 'L20',
    about: 'nobody is logged in: the inbox says so after the first message',
    setting: { env: { ANTHROPIC_API_KEY: null } },
    play: async (stage) => {
      await stage.says('agent show', /log(ged)? ?in/i);
      await stage.says('inbox list', /log(ged)? ?in/i);
    },
  },
  {
    name: 'old_release_notes',
    about: 'a client that was updated since its last start: ready without a word, and the handoff completes',
    setting: { claudeJson: { lastReleaseNotesSeen: '1.0.0', lastOnboardingVersion: '1.0.0' } },
    play: async (stage) => {
      await stage.completes(await stage.click());
    },
  },
];
