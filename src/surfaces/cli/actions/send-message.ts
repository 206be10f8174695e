import { MessageVerdict } from '../../../contract/requests.ts';
import { PATHS } from '../../../contract/routes.ts';
import type { Cli } from '../cli.ts';
import { CliFault, EXIT } from '../cli-fault.ts';
import { operatorClient } from '../client/operator-client.ts';
import { CROSS, type Part, TICK, WARN } from '../output/ink.ts';
import { readAll } from './read-all.ts';
import { showAnswer } from './show-answer.ts';

export async function sendMessage(cli: Cli, id: number, words: readonly string[]): Promise<number> {
  const text = words.length === 1 && words[0] === '-' ? (await readAll(cli)).toString('utf8') : words.join(' ');
  if (text.trim() === '')
    throw new CliFault('There is nothing to send.', { code: 'bad_request', exitCode: EXIT.usage });
  const answer = await operatorClient(cli.deps).post(PATHS.messages(id), { text }, MessageVerdict);
  const { verdict, sentence } = answer.data;
  showAnswer(cli, answer, () => [[SIGN[verdict], ` ${sentence}`]]);
  return EXIT_OF[verdict];
}

const SIGN: Record<MessageVerdict['verdict'], Part> = { accepted: TICK, refused: CROSS, unconfirmed: WARN };
const EXIT_OF: Record<MessageVerdict['verdict'], number> = {
  accepted: EXIT.done,
  refused: EXIT.failed,
  unconfirmed: EXIT.unconfirmed,
};
