import type { MessageVerdict } from '../../../contract/requests.ts';
import type { Cli } from '../cli.ts';
import { EXIT } from '../cli-fault.ts';
import type { Answer } from '../client/api-client.ts';
import { CROSS, type Part, TICK, WARN } from '../output/ink.ts';
import { sayMachine, showAnswer } from './show-answer.ts';

/**
 * Prints the verdict on a text that Baton was asked to type to an agent: accepted, refused or unconfirmed. Returns the
 * exit code for this verdict.
 */
export function showVerdict(cli: Cli, answer: Answer<MessageVerdict>): number {
  const { verdict, sentence } = answer.data;
  showAnswer(cli, answer, () => [[SIGN[verdict], ` ${sayMachine(cli, sentence)}`]]);
  return EXIT_OF[verdict];
}

const SIGN: Record<MessageVerdict['verdict'], Part> = { accepted: TICK, refused: CROSS, unconfirmed: WARN };
const EXIT_OF: Record<MessageVerdict['verdict'], number> = {
  accepted: EXIT.done,
  refused: EXIT.failed,
  unconfirmed: EXIT.unconfirmed,
};
