import { InvalidArgumentError } from 'commander';
import type { RunsOn } from '../../../contract/resources.ts';

/** The options --runtime and --model of commands that start an agent or a successor. */
export interface RuntimeOptions {
  readonly runtime?: string;
  readonly model?: string;
}

/**
 * Reads a list of agent types in order of preference, such as `FIRST --verbose,SECOND:MODEL`; `none` means an empty
 * list. The words after an agent type are arguments for its program. Arguments that contain a space or a comma can be
 * given only through the API.
 */
export function runsOnList(text: string): readonly RunsOn[] {
  if (text === 'none') return [];
  return text.split(',').map((part) => {
    const [first = '', ...args] = part.trim().split(/\s+/);
    const [, runtime, model] = /^([\w-]+)(?::(\S+))?$/.exec(first) ?? [];
    if (runtime === undefined)
      throw new InvalidArgumentError(
        `"${part}" does not begin with an agent type. Give a list of agent types, each with an optional model, such as FIRST,SECOND:MODEL.`,
      );
    return { runtime, ...(model === undefined ? {} : { model }), ...(args.length === 0 ? {} : { client_args: args }) };
  });
}

/**
 * Describes a list of agent types. Shows the arguments for the agents' programs only if the operator has just typed
 * them. For a stored list, shows how many arguments there are, because the server does not send them.
 */
export const runsOnInWords = (list: readonly RunsOn[] = []): string =>
  list.length === 0 ? 'no list: the setting default_runtime' : list.map(choiceInWords).join(', ');

const choiceInWords = ({ runtime, model, client_args: args = [], stored_args: stored = 0 }: RunsOn): string =>
  [
    model === undefined ? runtime : `${runtime}:${model}`,
    ...args,
    ...(stored === 0 ? [] : [stored === 1 ? '(1 argument)' : `(${stored} arguments)`]),
  ].join(' ');
