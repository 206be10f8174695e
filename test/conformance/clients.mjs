// Defines how each client is started and which prompts make the client play each scene.

import { fileURLToPath } from 'node:url';

/** @typedef {import('./client-pane.mjs').Client} Client */

const PRACTICE = fileURLToPath(new URL('../../dist/practice/main.js', import.meta.url));

/** @type {Client} */
export const practice = {
  name: 'practice',
  phrases: {
    hello: '[[practice:say hello]]',
    slow: '[[practice:slow 2000]]',
    endless: '[[practice:say word]] [[practice:slow 30000]]',
    silent: '[[practice:slow 30000]]',
    write: '[[practice:write made.txt hello]]',
    slowTool: '[[practice:bash sleep 2]]',
    endlessTool: '[[practice:bash tail -f /dev/null]]',
    failedTool: '[[practice:bash false]]',
    slowThenTool: '[[practice:slow 2000]] [[practice:bash sleep 0.1]]',
    ask: '[[practice:dialog touch made]]',
    error: '[[practice:error]]',
    full: '[[practice:compact]]',
  },
  launch: ({ sessionId, settings, folder }) => ({
    argv: [process.execPath, PRACTICE, '--session-id', sessionId, '--settings', settings],
    env: { BATON_PRACTICE_LOG: `${folder}/practice.jsonl` },
    files: { 'project/.practice.json': JSON.stringify({ thinkMs: 20, notifyAfterMs: 3000 }) },
  }),
};

/** A made-up API key. The stub does not check keys. */
const KEY = 'sk-ant-made-up-for-baton-0000000000000000-0000000000';

/** Keeps all traffic of the client on this machine. */
export const claudeEnv = (/** @type {number} */ port) => ({
  ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
  ANTHROPIC_API_KEY: KEY,
  DISABLE_AUTOUPDATER: '1',
  DISABLE_ERROR_REPORTING: '1',
  DISABLE_TELEMETRY: '1',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
});

/** Answers in advance the questions that the client asks at its first start. */
export const claudeConfig = (/** @type {string} */ version) => ({
  hasCompletedOnboarding: true,
  lastOnboardingVersion: version,
  theme: 'dark',
  hasSeenAutoDefaultNudge: true,
  customApiKeyResponses: { approved: [KEY.slice(-20)], rejected: [] },
});

/** @param {{ program: string, version: string, port: number }} options @returns {Client} */
export const claudeCode = ({ program, version, port }) => ({
  name: 'claude-code',
  phrases: {
    hello: 'Say hello.',
    slow: 'Talk. ⟦slow 5⟧',
    endless: 'Talk on. ⟦slow 60⟧',
    silent: 'Think. ⟦silent 60⟧',
    write: 'Make a file. ⟦write made.txt⟧',
    slowTool: 'Wait. ⟦bash sleep 5⟧',
    endlessTool: 'Wait on. ⟦bash sleep 15⟧',
    failedTool: 'Fail. ⟦bash false⟧',
    slowThenTool: 'Talk and wait. ⟦slow 5⟧ ⟦bash sleep 1⟧',
    ask: 'Ask me. ⟦bash touch made⟧',
    error: 'End badly. ⟦fail 400⟧',
    full: 'No room left. ⟦full⟧',
  },
  launch: ({ sessionId, settings, project }) => ({
    argv: [program, '--session-id', sessionId, '--settings', settings],
    env: claudeEnv(port),
    files: {
      'user/.claude.json': JSON.stringify({
        ...claudeConfig(version),
        projects: { [project]: { hasTrustDialogAccepted: true } },
      }),
    },
  }),
});
