import { MessageVerdict } from '../../../contract/requests.ts';
import { PATHS } from '../../../contract/routes.ts';
import type { Cli } from '../cli.ts';
import { CliFault, EXIT } from '../cli-fault.ts';
import { operatorClient } from '../client/operator-client.ts';
import { CROSS, type Part, TICK, WARN } from '../output/ink.ts';
import { showAnswer } from './show-answer.ts';

export async function sendMessage(cli: Cli, id: number, words: readonly string[]): Promise<number> {
  const text = words.length === 1 && words[0] === '-' ? await readAll(cli) : words.join(' ');
  if (text.trim() === '')
    throw new CliFault('There is nothing to send.', { code: 'bad_request', exitCode: EXIT.usage });
  const answer = await operatorClient(cli.deps).post(PATHS.messages(id), { text }, MessageVerdict);
  showAnswer(cli, answer, (verdict) => [sentenceFor(id, verdict)]);
  return answer.data.verdict === 'typed' ? EXIT.done : EXIT.failed;
}

function sentenceFor(id: number, { verdict, reason, detail }: MessageVerdict): Part[] {
  const why = [reason, detail].filter((part) => part !== undefined).join(': ');
  if (verdict === 'typed') return [TICK, ` Typed to agent ${id}.`];
  if (verdict === 'refused') return [CROSS, ` Nothing was typed to agent ${id} (${why}).`];
  return [WARN, ` Something was typed to agent ${id}, but what became of it could not be seen (${why}).`];
}

async function readAll({ deps }: Cli): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of deps.stdin ?? process.stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}
