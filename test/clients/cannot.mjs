// The checks that some releases of Claude Code cannot pass, each with the reason. Such a check is skipped for these
// releases. The report lists the check under `cannot` and never as passed.

/** @type {{ versions: RegExp, names: string[], why: string }[]} */
const CANNOT = [
  {
    versions: /^2\.0\./,
    names: ['traces_match_recording'],
    why: 'the recording is of 2.1.325, whose hooks name more',
  },
  {
    versions: /^2\.0\./,
    names: ['handoff_with_compaction', 'compaction_in_document_turn'],
    why: 'it sends a prompt that is too long again and does not compact',
  },
  {
    versions: /^2\.0\./,
    names: ['api_error'],
    why: 'it has no StopFailure hook: a turn that the API refused ends with a Stop like any other',
  },
  {
    versions: /^2\.0\./,
    names: ['interrupted_before_a_word'],
    why: 'Escape before the first word does not bring the prompt back into its composer',
  },
  {
    versions: /^2\.0\./,
    names: ['token_counts'],
    why: 'it has no /branch',
  },
  {
    versions: /^2\.0\./,
    names: ['stop_suppressed'],
    why: 'it keeps no status file: without its Stop nothing says that it rests, so /exit is not typed and the run halts',
  },
  {
    versions: /^2\.0\./,
    // `own_session_hangup` names one part of the check `operators_own_session` and not a whole check.
    names: ['own_session_hangup'],
    why: 'it runs no SessionEnd hook when its terminal is closed: only its process tells that the session is over',
  },
  {
    versions: /^2\.0\./,
    names: [
      'background_shell',
      'background_shell_send',
      'background_shell_text_only',
      'subagent_running',
      'subagent_send',
      'subagent_in_document_turn',
    ],
    why: 'its Stop hook names no background work, and its subagents end within their turn',
  },
];

/**
 * @param {import('./describe/client.mjs').ClientDescription} client
 * @param {string} version
 * @returns {Record<string, string>} for each check that this release cannot pass, the reason
 */
export const cannotOf = (client, version) => ({
  ...client.cannot,
  ...Object.fromEntries(
    CANNOT.filter((each) => client.id === 'claude-code' && each.versions.test(version)).flatMap(({ names, why }) =>
      names.map((name) => [name, why]),
    ),
  ),
});

/**
 * Returns the part of a report that says why the release cannot pass some of the named checks. Returns an empty object
 * if the release can pass all named checks.
 * @param {import('./describe/client.mjs').ClientDescription} client
 * @param {string} version
 * @param {string[]} names
 */
export function cannotAmong(client, version, names) {
  const found = Object.entries(cannotOf(client, version)).filter(([name]) => names.includes(name));
  return found.length === 0 ? {} : { cannot: Object.fromEntries(found) };
}
