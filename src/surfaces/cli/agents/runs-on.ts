import { InvalidArgumentError } from 'commander';
import type { RunsOn } from '../../../contract/resources.ts';

/** Options of commands that choose the runtime of an agent or a successor. */
export interface RuntimeOptions {
  readonly runtime?: string;
  readonly model?: string;
}

/**
 * Reads a list such as `FIRST --verbose,SECOND:MODEL`, the first choice first; `none` is the empty list. The words after an
 * agent type are arguments for its program. An argument with a space or a comma can be given through the API only.
 */
export function runsOnList(text: string): readonly RunsOn[] {
  if (text === 'none') return [];
  return text.split(',').map((part) => {
    const [first = '', ...args] = part.trim().split(/\s+/);
    const [, runtime, model] = /^([\w-]+)(?::(\S+))?$/.exec(first) ?? [];
    if (runtime === undefined)
      throw new InvalidArgumentError(`"${part}" is not an agent type with a model. For example: FIRST,SECOND:MODEL`);
    return { runtime, ...(model === undefined ? {} : { model }), ...(args.length === 0 ? {} : { client_args: args }) };
  });
}

/** Names the arguments only in a list that the operator has just given, because the server never sends them. */
export const runsOnInWords = (list: readonly RunsOn[] = []): string =>
  list.length === 0 ? 'no list: the setting default_runtime' : list.map(choiceInWords).join(', ');

const choiceInWords = ({ runtime, model, client_args: args = [] }: RunsOn): string =>
  [model === undefined ? runtime : `${runtime}:${model}`, ...args].join(' ');
