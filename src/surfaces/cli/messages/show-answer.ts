import { commandsOn } from '../../../contract/words/machine-commands.ts';
import type { Cli } from '../cli.ts';
import { EXIT } from '../cli-fault.ts';
import type { Answer } from '../client/api-client.ts';
import type { Part } from '../output/ink.ts';

/**
 * Prints the answer: with --json as received, otherwise as lines for people. If the answer comes from another machine,
 * the commands in the lines name that machine.
 */
export function showAnswer<T>(cli: Cli, answer: Answer<T>, lines: (data: T) => readonly (readonly Part[])[]): number {
  return showContent(cli, answer, (data) => onItsMachine(cli, lines(data)));
}

/** Adds the name of the machine to the commands in the lines, if the lines are about another machine. */
export function onItsMachine(
  { deps: { machine } }: Cli,
  lines: readonly (readonly Part[])[],
): readonly (readonly Part[])[] {
  if (machine === undefined) return lines;
  return lines.map((line) =>
    line.map((part) =>
      typeof part === 'string' ? commandsOn(machine, part) : { ...part, text: commandsOn(machine, part.text) },
    ),
  );
}

/**
 * Prints an answer that contains text of agents or files. This text is printed unchanged, even if it mentions commands.
 */
export function showContent<T>(
  { json, out }: Cli,
  answer: Answer<T>,
  lines: (data: T) => readonly (readonly Part[])[],
): number {
  if (json) out.json(answer.body);
  else for (const line of lines(answer.data)) out.print(...line);
  return EXIT.done;
}
