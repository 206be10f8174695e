import { InboxAnywhere } from '../../../contract/fleet.ts';
import { InboxHistory, InboxItem } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import type { Cli } from '../cli.ts';
import { type ListPage, olderLine, pagePath } from '../client/list-page.ts';
import { operatorClient } from '../client/operator-client.ts';
import { heardLine } from '../fleet/heard.ts';
import { sayMachine, showAnswer } from '../messages/show-answer.ts';
import { ink, type Part } from '../output/ink.ts';
import { ago } from '../output/when.ts';
import { worstFirst } from './worst-first.ts';

export async function showInbox(cli: Cli): Promise<number> {
  const answer = await operatorClient(cli.deps).get(PATHS.inbox, InboxAnywhere);
  return showAnswer(cli, answer, ({ items, heard }) => [
    ...heardLine(heard),
    ...(items.length === 0 ? [['Nothing needs you.']] : worstFirst(items).flatMap(itemLines)),
  ]);
}

export async function showHistory(cli: Cli, page: ListPage): Promise<number> {
  const answer = await operatorClient(cli.deps).get(pagePath(PATHS.inboxHistory, page), InboxHistory);
  return showAnswer(cli, answer, ({ items, next }) =>
    items.length === 0
      ? [['No inbox item is over yet.']]
      : [
          ...items.flatMap(({ id, sentence, resolution, resolved_at }): Part[][] => [
            [`${id}  ${sentence}`],
            [ink('dim', `    ${resolution ?? ''} (${resolved_at === null ? '' : ago(resolved_at)})`)],
          ]),
          ...olderLine(next).map((line) => [...line]),
        ],
  );
}

/** The lines of one item: number, kind and sentence, the hint, and the age. */
function itemLines({ id, kind, sentence, hint, opened_at }: InboxItem): Part[][] {
  const label = ink(kind === 'failure' ? 'red' : 'yellow', kind);
  return [[`${id}  `, label, `  ${sentence}`], [`    ${hint}`], [ink('dim', `    ${ago(opened_at)}`)]];
}

/** The resolution that the server records for an item that the operator dismissed. */
const DISMISSED = 'dismissed by the operator';

export async function dismissItem(cli: Cli, id: number): Promise<number> {
  const answer = await operatorClient(cli.deps).post(PATHS.dismiss(id), {}, InboxItem);
  return showAnswer(cli, answer, ({ resolution }) => [
    [
      sayMachine(
        cli,
        resolution === null || resolution === DISMISSED
          ? `Inbox item ${id} is dismissed.`
          : `Inbox item ${id} was already over: ${resolution}.`,
      ),
    ],
  ]);
}

export async function restoreItem(cli: Cli, id: number): Promise<number> {
  const answer = await operatorClient(cli.deps).post(PATHS.restoreItem(id), {}, InboxItem);
  return showAnswer(cli, answer, () => [[sayMachine(cli, `Inbox item ${id} is restored.`)]]);
}
