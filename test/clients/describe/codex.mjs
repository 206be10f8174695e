import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { escaped } from '../life/screen.mjs';

const PACKAGE = '@openai/codex';
const KEEP = '{ cat; echo; } >> "$HOME/submissions.jsonl"';

/**
 * For each platform, the name that OpenAI uses for it.
 * @type {Record<string, string>}
 */
const TARGETS = {
  'linux-x64': 'x86_64-unknown-linux-musl',
  'linux-arm64': 'aarch64-unknown-linux-musl',
  'darwin-arm64': 'aarch64-apple-darwin',
  'darwin-x64': 'x86_64-apple-darwin',
};

/** The operator's own configuration: a made-up provider on loopback, and a question before each command. */
const codexConfig = (/** @type {number} */ port, more = '') =>
  [
    'model = "stub-model"',
    'model_provider = "stub"',
    'model_context_window = 200000',
    'check_for_update_on_startup = false',
    'approval_policy = "on-request"',
    'sandbox_mode = "workspace-write"',
    more,
    '[model_providers.stub]',
    'name = "stub"',
    `base_url = "http://127.0.0.1:${port}/v1"`,
    'wire_api = "responses"',
    'env_key = "STUB_KEY"',
    'request_max_retries = 2',
    'stream_max_retries = 2',
    '[analytics]',
    'enabled = false',
    '',
  ].join('\n');

/** A hook of the operator, which runs for each submitted prompt and which the operator has trusted. */
function trusted(/** @type {string} */ file, /** @type {string} */ command) {
  const hook = { async: false, command, timeout: 600, type: 'command' };
  const identity = JSON.stringify({ event_name: 'user_prompt_submit', hooks: [hook] });
  const hash = createHash('sha256').update(identity).digest('hex');
  return `[hooks.state."${file}:user_prompt_submit:0:0"]\ntrusted_hash = "sha256:${hash}"\n`;
}

/**
 * Returns those of Baton's prompts that reached Codex while a turn was running. In the transcript, such a prompt is
 * recognized by its place: it is not the first prompt of its turn.
 */
function steered(/** @type {string} */ user, /** @type {string[]} */ texts) {
  const folder = join(user, '.codex', 'sessions');
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'));
  return files.flatMap((name) => {
    const seen = new Set();
    const rows = readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .filter((row) => row.includes('"UserMessage"'));
    return rows.flatMap((row) => {
      const { turn_id: turn, item } = JSON.parse(row).payload;
      const text = (item?.content ?? []).map((/** @type {any} */ part) => part.text ?? '').join('\n');
      const isFirst = !seen.has(turn);
      seen.add(turn);
      return isFirst || !(texts.includes(text) || /\[baton:\S+\]\s*$/.test(text)) ? [] : [text];
    });
  });
}

/** @type {import('./client.mjs').ClientDescription} */
export const codex = {
  id: 'codex',
  package: PACKAGE,
  version: '0.166.0',
  programIn: (modules) => {
    const machine = `${process.platform}-${process.arch}`;
    return join(modules, '@openai', `codex-${machine}`, 'vendor', TARGETS[machine] ?? machine, 'bin', 'codex');
  },
  start: ({ program, port, policy = 'true' }) => ({
    env: { BATON_CODEX: program, STUB_KEY: 'made-up-for-baton' },
    files: {
      '.codex/config.toml': (home) =>
        codexConfig(port) + trusted(join(home, '.codex/hooks.json'), `${KEEP}; ${policy}`),
      '.codex/hooks.json': JSON.stringify({
        hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command: `${KEEP}; ${policy}` }] }] },
      }),
    },
  }),
  shows: {
    composer: /^›/m,
    empty: /^› (?:Ask Codex|$)/m,
    draft: (text) => new RegExp(`^› ${escaped(text)}`, 'm'),
    chip: /\[Pasted Content/,
    working: /esc to interrupt/,
    words: /word word/,
    dialog: /› 1\. Yes/,
    question: /Would you like to run[\s\S]*/,
    compacted: /Context compacted/,
    cleared: /^› /m,
    interrupted: /Conversation interrupted/,
  },
  keys: { interrupt: ['Escape'], clear: ['C-u'], allow: ['y'], queue: 'Tab', search: ['C-r'], editor: ['C-g'] },
  serverSocket: 'codex.sock',
  serverProcess: /codex .*app-server --listen/,
  terminalProcess: /codex .*--remote/,
  steered,
  percentOf: (used, window) => Math.round((100 * used) / Math.floor((window * 90) / 95)),
  ways: { api: {}, pane: { BATON_CODEX_SERVER: 'off' } },
  full: 'No room left. ⟦used 185000⟧',
  ownSession: {
    // Switch off the daemon of Codex, because it would run the hooks outside the pane of the session.
    command: (program) => `'${program}' -c features.daemon_auto_start=false`,
    trust: /Do you trust the contents of this directory/,
    review: /Hooks need review/,
    keys: ['2', 'Enter'],
  },
  nested: (program, text) => `${program} exec --skip-git-repo-check '${text}'`,
  compaction: { below: 179_500, above: 179_990 },
  commands: { compact: '/compact', clear: '/clear', other: '/fork', branch: '/fork', asks: '/plan' },
  questionTool: 'request_user_input',
  takesBack: async (stage) => {
    // The first Escape shows a hint. The second Escape shows the conversation, with the last prompt marked.
    await stage.press('Escape');
    await sleep(700);
    await stage.press('Escape');
    await sleep(1_500);
    await stage.press('Enter');
  },
  cannot: {
    subagent_asks: 'a subagent of Codex was not played',
    interrupted_before_a_word: 'Escape before the first word does not bring the prompt back into its composer',
  },
};
