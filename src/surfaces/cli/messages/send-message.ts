import { MessageVerdict } from '../../../contract/requests.ts';
import { PATHS } from '../../../contract/routes.ts';
import type { Cli } from '../cli.ts';
import { CliFault, EXIT } from '../cli-fault.ts';
import { operatorClient } from '../client/operator-client.ts';
import { readAll } from '../inbox/read-all.ts';
import { showVerdict } from './show-verdict.ts';

export async function sendMessage(cli: Cli, id: number, words: readonly string[]): Promise<number> {
  const text = words.length === 1 && words[0] === '-' ? (await readAll(cli)).toString('utf8') : words.join(' ');
  if (text.trim() === '')
    throw new CliFault('The message is empty; nothing was sent.', { code: 'bad_request', exitCode: EXIT.usage });
  return showVerdict(cli, await operatorClient(cli.deps).post(PATHS.messages(id), { text }, MessageVerdict));
}
