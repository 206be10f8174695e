/**
 * The options of opencode that Baton accepts from the operator. The terminal client attaches to the agent's server and
 * takes no other options, because the session determines model and agent.
 */
const OPTIONS: Readonly<Record<string, 'model' | 'agent'>> = {
  '--model': 'model',
  '-m': 'model',
  '--agent': 'agent',
};

export interface ChosenOptions {
  readonly model: string | null;
  readonly agent: string | null;
}

/**
 * Returns a sentence that says why Baton does not allow some of these arguments; undefined if all of them are allowed.
 */
export function refuseArgs(args: readonly string[]): string | undefined {
  const read = readArgs(args);
  return typeof read === 'string' ? read : undefined;
}

export function chosenOptions(args: readonly string[]): ChosenOptions {
  const read = readArgs(args);
  return typeof read === 'string' ? { model: null, agent: null } : read;
}

function readArgs(args: readonly string[]): ChosenOptions | string {
  const chosen: { model: string | null; agent: string | null } = { model: null, agent: null };
  for (let at = 0; at < args.length; at++) {
    const [name = '', inline] = (args[at] ?? '').split(/=(.*)/s, 2);
    const option = OPTIONS[name];
    if (option === undefined)
      return `"${name}" cannot be passed to opencode here: an agent of Baton accepts --model PROVIDER/MODEL and --agent NAME; put other settings into opencode.json`;
    const value = inline ?? args[++at];
    if (value === undefined || value === '') return `"${name}" needs a value`;
    if (option === 'model' && !/^[^/]+\/.+$/.test(value))
      return `"${value}" is not a model for opencode: write PROVIDER/MODEL, as in anthropic/claude-sonnet-4-5`;
    chosen[option] = value;
  }
  return chosen;
}
