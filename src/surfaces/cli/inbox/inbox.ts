import { Inbox, InboxItem } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import type { Cli } from '../cli.ts';
import { operatorClient } from '../client/operator-client.ts';
import { showAnswer } from '../messages/show-answer.ts';
import { ink, type Part } from '../output/ink.ts';

export async function showInbox(cli: Cli): Promise<number> {
  const answer = await operatorClient(cli.deps).get(PATHS.inbox, Inbox);
  return showAnswer(cli, answer, ({ items }) =>
    items.length === 0 ? [['Nothing needs you.']] : items.flatMap((item) => itemLines(item)),
  );
}

function itemLines({ id, kind, sentence, hint, opened_at }: InboxItem): Part[][] {
  const label = ink(kind === 'failure' ? 'red' : 'yellow', kind);
  return [[`${id}  `, label, `  ${sentence}`], [`    ${hint}`], [ink('dim', `    since ${opened_at}`)]];
}

export async function dismissItem(cli: Cli, id: number): Promise<number> {
  const answer = await operatorClient(cli.deps).post(PATHS.dismiss(id), {}, InboxItem);
  return showAnswer(cli, answer, () => [[`Inbox item ${id} is dismissed.`]]);
}
