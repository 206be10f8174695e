import type { Command } from 'commander';

export interface Place {
  /** The words that lead here, such as `agent start`; empty for `baton` itself. */
  readonly path: string;
  readonly words: readonly { readonly name: string; readonly summary: string }[];
}

/** Every command with the words that can come next, read from the program itself. */
export function commandTree(command: Command, path: readonly string[] = []): readonly Place[] {
  const inner = command.commands;
  const words = [
    ...inner.map((each) => ({ name: each.name(), summary: each.description() })),
    ...command.options.flatMap(({ long, description }) =>
      long === undefined || long === null ? [] : [{ name: long, summary: description }],
    ),
    { name: '--help', summary: 'display help for command' },
  ];
  return [{ path: path.join(' '), words }, ...inner.flatMap((each) => commandTree(each, [...path, each.name()]))];
}
