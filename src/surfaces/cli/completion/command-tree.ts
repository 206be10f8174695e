import type { Command } from 'commander';
import { kindOfArgument } from './value-kinds.ts';

export interface Place {
  /** The words of the command, such as `agent start`; empty for `baton` itself. */
  readonly path: string;
  readonly words: readonly { readonly name: string; readonly summary: string }[];
  /** True if shell completion can ask the running server for values of one of the command's arguments. */
  readonly hasValues: boolean;
}

/** Lists every visible command with the words that can follow it. */
export function commandTree(command: Command, path: readonly string[] = []): readonly Place[] {
  const help = command.createHelp();
  const visible = help.visibleCommands(command);
  const inner = command.commands.filter((each) => visible.includes(each));
  const words = [
    ...inner.map((each) => ({ name: each.name(), summary: each.description() })),
    ...help
      .visibleOptions(command)
      .flatMap(({ long, description }) => (long ? [{ name: long, summary: description }] : [])),
  ];
  const hasValues = command.registeredArguments.some((each) => kindOfArgument(command, each) !== undefined);
  return [
    { path: path.join(' '), words, hasValues },
    ...inner.flatMap((each) => commandTree(each, [...path, each.name()])),
  ];
}
