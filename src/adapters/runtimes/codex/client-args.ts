/**
 * Arguments that the operator must not pass, because Baton sets them itself or because Codex would not show its TUI.
 */
const OURS: Readonly<Record<string, string>> = {
  '--remote': 'Baton decides which server the agent uses',
  '--cd': 'an agent works in the folder of its project',
  '-C': 'an agent works in the folder of its project',
  '--image': 'an agent gets its prompts from Baton',
  '-i': 'an agent gets its prompts from Baton',
};

/**
 * Returns a sentence that says why Baton does not allow some of these arguments; undefined if all of them are allowed.
 */
export function refuseArgs(args: readonly string[]): string | undefined {
  const [first] = args;
  if (first !== undefined && !first.startsWith('-'))
    return `"${first}" cannot be passed to Codex here: an agent runs the interactive Codex, without a subcommand or a prompt`;
  const found = args.find((arg) => Object.hasOwn(OURS, arg.split('=')[0] ?? ''));
  return found === undefined
    ? undefined
    : `"${found}" cannot be passed to Codex here: ${OURS[found.split('=')[0] ?? '']}`;
}
