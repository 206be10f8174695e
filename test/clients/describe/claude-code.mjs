import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { claudeConfig, claudeEnv } from '../../conformance/clients.mjs';
import { escaped } from '../life/screen.mjs';

const PACKAGE = '@anthropic-ai/claude-code';

/** @type {import('./client.mjs').ClientDescription} */
export const claudeCode = {
  id: 'claude-code',
  package: PACKAGE,
  version: '2.1.325',
  /** Older releases of Claude Code are a script, newer releases are a native program. */
  programIn: (modules) => {
    const script = join(modules, PACKAGE, 'cli.js');
    const native = join(modules, '@anthropic-ai', `claude-code-${process.platform}-${process.arch}`, 'claude');
    return existsSync(script) ? script : native;
  },
  start: ({ program, version, port, policy = 'true', allow = [] }) => ({
    env: { BATON_CLAUDE: program, ...claudeEnv(port) },
    files: {
      '.claude.json': JSON.stringify(claudeConfig(version)),
      '.claude/settings.json': JSON.stringify({
        permissions: { defaultMode: 'default', allow },
        hooks: {
          UserPromptSubmit: [
            { hooks: [{ type: 'command', command: `{ cat; echo; } >> "$HOME/submissions.jsonl"; ${policy}` }] },
          ],
        },
      }),
    },
  }),
  subscriber: {
    ANTHROPIC_API_KEY: undefined,
    CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-fake-made-up-token-000000000000',
  },
  tab: '    ',
  shows: {
    composer: /^❯/m,
    empty: /^❯\u00a0\s*$/m,
    draft: (text) => new RegExp(`^❯\\u00a0${escaped(text)}`, 'm'),
    chip: /\[Pasted text/,
    working: /esc to interrupt/,
    // Also match a token count. Release 2.0 of Claude Code shows no part of an answer before the whole answer is
    // complete, and shows a token count if the answer takes longer than half a minute.
    words: /word word|↓ \d+ tokens/,
    dialog: /❯ 1\. Yes/,
    question: /Do you want to proceed\?[\s\S]*?Esc to cancel.*/,
    compacted: /Compacted/,
    cleared: /❯\u00a0$/m,
    interrupted: /Interrupted/,
  },
  keys: { interrupt: ['Escape'], clear: ['C-u'], allow: ['Enter'] },
  percentOf: (used, window) => Math.round((100 * used) / (window > 200_000 ? window - 33_000 : window - 20_000)),
  tellsBranch: true,
  commands: { compact: '/compact', clear: '/clear', branch: '/branch' },
  subagent: {
    name: 'Agent',
    input: { description: 'Says a word', prompt: 'Say a word.', subagent_type: 'general-purpose' },
  },
  // The price in US dollars for one million tokens that the client knows for its default model.
  price: { input: 4, output: 20, cache_read: 0.2, cache_write: 5 },
  cannot: {},
};
