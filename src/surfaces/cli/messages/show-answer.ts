import { commandsOn } from '../../../contract/words/machine-commands.ts';
import type { Cli } from '../cli.ts';
import { EXIT } from '../cli-fault.ts';
import type { Answer } from '../client/api-client.ts';
import type { Part } from '../output/ink.ts';

/**
 * Prints the server's answer: with --json as received, otherwise as lines for people. If the answer comes from another
 * machine, adds the name of that machine to the commands in the lines.
 */
export function showAnswer<T>(cli: Cli, answer: Answer<T>, lines: (data: T) => readonly (readonly Part[])[]): number {
  return showContent(cli, answer, (data) => onItsMachine(cli, lines(data)));
}

/** If the command is for another machine, adds the name of that machine to the commands that the lines mention. */
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

/** The first object that a sentence names, such as `agent 3`, `agents 2, 3` or `HO-2026-001`. */
const OBJECT = /\b(?:agents?|handoff|inbox item) \d+(?:, \d+)*|\bHO-\d[\d-]*/i;

/**
 * Adds the machine to a question or a result, if the command is for another machine: `Stop agent 3 on laptop?`. Without
 * the name, the operator would think of agent 3 of this machine.
 */
export function sayMachine({ deps: { machine } }: Cli, sentence: string): string {
  if (machine === undefined) return sentence;
  return OBJECT.test(sentence) ? sentence.replace(OBJECT, `$& on ${machine}`) : `On ${machine}: ${sentence}`;
}

/**
 * Prints an answer that contains text of agents or files. Commands in this text are not changed, even if the command is
 * for another machine.
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
