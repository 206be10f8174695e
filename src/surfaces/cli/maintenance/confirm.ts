import { createInterface } from 'node:readline';
import type { Cli } from '../cli.ts';
import { CliFault, EXIT } from '../cli-fault.ts';
import { sayMachine } from '../messages/show-answer.ts';

interface Confirmation {
  /** True if the operator gave --yes, so that the command asks nothing. */
  readonly yes: boolean;
  readonly question: string;
  /** The sentence that is printed if the operator does not confirm. It says that the command changed nothing. */
  readonly otherwise: string;
}

/**
 * Asks the operator before a destructive command. Throws CliFault if the operator declines. Also throws without a
 * terminal, because nobody can answer the question in a script.
 */
export async function confirm(cli: Cli, { yes, ...words }: Confirmation): Promise<void> {
  if (yes) return;
  const [question, otherwise] = [sayMachine(cli, words.question), sayMachine(cli, words.otherwise)];
  if (!hasTerminal(cli))
    throw new CliFault(
      `${otherwise} Baton cannot ask for confirmation, because standard input or standard error is not a terminal. Confirm with --yes.`,
      { code: 'not_confirmed', exitCode: EXIT.usage },
    );
  if (!(await isYes(cli, `${question} [y/N] `))) throw new CliFault(otherwise, { code: 'not_confirmed' });
}

export const hasTerminal = ({ deps }: Cli): boolean =>
  (deps.stdin ?? process.stdin).isTTY === true && deps.stderr.isTTY === true;

async function isYes({ deps }: Cli, question: string): Promise<boolean> {
  deps.stderr.write(question);
  const lines = createInterface({ input: deps.stdin ?? process.stdin });
  try {
    for await (const line of lines) return /^y(es)?$/i.test(line.trim());
    return false;
  } finally {
    lines.close();
  }
}
