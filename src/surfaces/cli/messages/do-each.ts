import type { Cli } from '../cli.ts';
import { CliFault, EXIT, ServerUnreachable } from '../cli-fault.ts';
import type { Answer } from '../client/api-client.ts';
import { CROSS, TICK } from '../output/ink.ts';
import { onItsMachine, sayMachine } from './show-answer.ts';

interface Each<T> {
  readonly send: (id: number) => Promise<Answer<T>>;
  /** Returns the sentence for an id whose request the server accepted. */
  readonly done: (data: T) => string;
  /**
   * Returns the beginning of the sentence for an id whose request the server refused, such as "Agent 3 was not
   * stopped".
   */
  readonly notDone: (id: number) => string;
  /**
   * Names for the output of `--json`: `list` is the field that contains all answers, and `named` returns the fields
   * that name a refused id.
   */
  readonly list: string;
  readonly named: (id: number) => object;
}

/**
 * Sends one request for each id and prints each result as it comes. If the server refuses one of several ids, the other
 * requests are still sent, and the exit code is 1. If there is only one id and the server refuses it, the function
 * throws the refusal.
 */
export async function doEach<T>(cli: Cli, ids: readonly number[], each: Each<T>): Promise<number> {
  const done: unknown[] = [];
  const refused: object[] = [];
  const print = (mark: typeof TICK, sentence: string): void => {
    if (!cli.json)
      for (const line of onItsMachine(cli, [[mark, ` ${sayMachine(cli, sentence)}`]])) cli.out.print(...line);
  };
  for (const id of ids) {
    try {
      const answer = await each.send(id);
      done.push(answer.body);
      print(TICK, each.done(answer.data));
    } catch (error) {
      if (!(error instanceof CliFault) || error instanceof ServerUnreachable || ids.length === 1) throw error;
      refused.push({ ...each.named(id), ...error.body });
      const { error: why, hint } = error.body;
      print(CROSS, `${each.notDone(id)}: ${why}${hint === undefined ? '' : `. ${hint}`}`);
    }
  }
  if (cli.json) cli.out.json({ [each.list]: done, refused });
  return refused.length === 0 ? EXIT.done : EXIT.failed;
}
