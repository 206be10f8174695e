// Situations with special settings, saved answers, variables and hooks in the user's environment.

import { claudeConfig, claudeEnv } from '../../conformance/clients.mjs';

/** @typedef {import('./stage.mjs').Setting} Setting */

/** The timeout is long, because the client may be slow on a busy machine. */
const RECEIPT_S = 20;
/** A hook that records each submission with its time, as evidence of what was typed. */
const NOTE = `p=$(cat); printf '%s\\n' "$p" >> "$HOME/submissions.jsonl"; printf '{"at":%s,"hook":%s}\\n' "$(date +%s%3N)" "$p" >> "$HOME/noted.jsonl"`;

/** @param {Setting} setting @param {string} program @param {string} version @param {number} port */
export function launchOf(setting, program, version, port) {
  const { settings = {}, claudeJson = {}, env = {}, hooks = {}, policy = 'true' } = setting;
  const { permissions = {}, ...others } = settings;
  const commands = { ...hooks, UserPromptSubmit: `${NOTE}; ${policy}` };
  const all = Object.entries(commands).map(([event, command]) => [event, [{ hooks: [{ type: 'command', command }] }]]);
  const own = { permissions: { defaultMode: 'default', ...permissions }, hooks: Object.fromEntries(all), ...others };
  const variables = {
    BATON_CLAUDE: setting.wrap?.(program) ?? program,
    LIFE_CLAUDE: program,
    ...claudeEnv(port),
    ...env,
  };
  return {
    env: /** @type {Record<string, string>} */ (
      Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== null))
    ),
    files: {
      ...(claudeJson === null ? {} : { '.claude.json': JSON.stringify({ ...claudeConfig(version), ...claudeJson }) }),
      '.claude/settings.json': JSON.stringify(own),
      ...setting.files,
    },
    config: { message_receipt_seconds: RECEIPT_S, ...setting.config },
    ...(setting.homeFiles ? { homeFiles: setting.homeFiles } : {}),
    ...(setting.projectFiles ? { projectFiles: setting.projectFiles } : {}),
    ...(setting.names ? { names: setting.names } : {}),
    linked: setting.linked ?? false,
  };
}
