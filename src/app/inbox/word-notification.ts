import type { InboxItem, InboxKind } from '../../domain/inbox/inbox.ts';
import { notificationCategoryOf } from '../../domain/inbox/notification-policy.ts';
import type { Notification } from '../ports/notifier.ts';

const TITLE: Record<InboxKind, string> = {
  failure: 'Baton: a handoff stopped',
  question: 'Baton: an agent needs your answer',
  decision: 'Baton: a decision is needed',
  notice: 'Baton: notice',
};
const URGENCY: Record<InboxKind, Notification['urgency']> = {
  failure: 'critical',
  question: 'normal',
  decision: 'normal',
  notice: 'low',
};

/** Maximum number of items listed in a summary; the inbox shows all items. */
const LISTED = 5;
const MAX_LINE = 160;

/** Writes the text of a notification: the full text of a single item, or a summary of several items. */
export function notificationFor(items: readonly InboxItem[]): Notification {
  const [first] = items;
  if (items.length !== 1 || first === undefined) return summaryOf(items);
  const { kind, hint, sentence } = first;
  const body = `${sentence}\n${hint}`;
  if (notificationCategoryOf(first) === 'failures' && kind !== 'failure')
    return { title: 'Baton: internal problem', body, urgency: 'critical' };
  return { title: titleOf(first), body, urgency: URGENCY[kind] };
}

function titleOf(item: InboxItem): string {
  const telling = notificationCategoryOf(item);
  if (telling === 'finished') return 'Baton: an agent finished';
  return telling === 'near_threshold' ? 'Baton: handoff suggested' : TITLE[item.kind];
}

function summaryOf(items: readonly InboxItem[]): Notification {
  const haveFailed = items.some((item) => notificationCategoryOf(item) === 'failures');
  const waited = items.every(({ notified }) => notified.held !== undefined);
  const what = haveFailed ? 'notifications about failures' : waited ? 'delayed notifications' : 'new notifications';
  const lines = items.slice(0, LISTED).map(({ sentence }) => `- ${short(sentence)}`);
  const rest = items.length - lines.length;
  return {
    title: `Baton: ${items.length} ${what}`,
    body: [...lines, `${rest > 0 ? `And ${rest} more. ` : ''}Show all: baton inbox`].join('\n'),
    urgency: haveFailed ? 'critical' : items.every(({ kind }) => kind === 'notice') ? 'low' : 'normal',
  };
}

function short(sentence: string): string {
  const characters = [...sentence.replace(/\s+/g, ' ')];
  return characters.length <= MAX_LINE ? characters.join('') : `${characters.slice(0, MAX_LINE - 1).join('')}…`;
}
