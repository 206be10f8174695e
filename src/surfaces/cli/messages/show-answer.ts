import { commandsOn } from '../../../contract/words/machine-commands.ts';
import type { Cli } from '../cli.ts';
import { EXIT } from '../cli-fault.ts';
import type { Answer } from '../client/api-client.ts';
import type { Part } from '../output/ink.ts';

/**
 * With --json prints the answer as received, otherwise as lines for people. The commands in the lines about another
 * machine name that machine.
 */
export function showAnswer<T>(cli: Cli, answer: Answer<T>, lines: (data: T) => readonly (readonly Part[])[]): number {
  return showContent(cli, answer, (data) => onItsMachine(cli, lines(data)));
}

/** Returns the lines with the machine in their commands, if the command is for another machine. */
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

/** Prints an answer that contains the text of agents or files. Each line stays exactly as it is. */
export function showContent<T>(
  { json, out }: Cli,
  answer: Answer<T>,
  lines: (data: T) => readonly (readonly Part[])[],
): number {
  if (json) out.json(answer.body);
  else for (const line of lines(answer.data)) out.print(...line);
  return EXIT.done;
}
