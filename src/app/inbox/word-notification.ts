import { agentLabel } from '../../domain/agents/apply-fact.ts';
import type { InboxItem, InboxKind } from '../../domain/inbox/inbox.ts';
import { notificationCategoryOf, type Telling } from '../../domain/inbox/notification-policy.ts';
import type { Notification, NotificationTarget } from '../ports/notifier.ts';
import type { Tx } from '../ports/store.ts';

const URGENCY: Record<InboxKind, Notification['urgency']> = {
  failure: 'critical',
  question: 'normal',
  decision: 'normal',
  notice: 'low',
};

/**
 * The last line of a notification. It names no command, because the operator usually reads the notification on a phone
 * and then opens Baton's page.
 */
const NEXT: Record<InboxKind, string> = {
  failure: '\nOpen Baton to choose the next step.',
  question: '\nOpen Baton to answer.',
  decision: '\nOpen Baton to decide.',
  notice: '',
};

/** Maximum number of items that a summary lists; the inbox shows all items. */
const LISTED = 5;
const MAX_LINE = 160;

/**
 * The facts about an agent that a notification contains: its name, as in "Con (agent 3)", and the question that it asks
 * now.
 */
export interface KnownAgent {
  readonly name: string;
  readonly question: string | null;
}

export type KnownAgents = (agentId: number) => KnownAgent | undefined;

export const agentsIn =
  (tx: Tx): KnownAgents =>
  (agentId) => {
    const agent = tx.agentById(agentId);
    if (agent === undefined) return undefined;
    const persona = agent.personaId === null ? undefined : tx.personaById(agent.personaId);
    return { name: agentLabel(agent, persona?.name ?? null), question: agent.question?.text ?? null };
  };

/** Writes the text of a notification: the full text of a single item, or a summary of several items. */
export function notificationFor(items: readonly InboxItem[], agentOf: KnownAgents): Notification {
  const [first] = items;
  if (items.length !== 1 || first === undefined) return summaryOf(items);
  const telling = notificationCategoryOf(first);
  const agent = first.agentId === null ? undefined : agentOf(first.agentId);
  const title = titleOf(first, telling, agent);
  const urgency = telling === 'failures' ? 'critical' : URGENCY[first.kind];
  return { title, body: `${first.sentence}${NEXT[first.kind]}`, urgency, target: targetOf(first) };
}

/** The title names the agent, because a locked phone often shows only the title. */
function titleOf({ cause, kind, sentence }: InboxItem, telling: Telling, agent: KnownAgent | undefined): string {
  const who = agent?.name;
  if (cause.of === 'trouble') return 'Baton: internal problem';
  if (kind === 'question') return cause.of === 'agent' && agent?.question ? `${who} asks: ${agent.question}` : sentence;
  if (cause.of === 'run') return `Handoff ${cause.runId}${who === undefined ? '' : ` of ${who}`} ${RUN[kind]}`;
  if (cause.of === 'package') return `Package ${cause.packageId}: ${kind === 'notice' ? 'notice' : 'decision needed'}`;
  if (cause.of === 'persona') return 'Baton: lessons wait for your decision';
  if (who === undefined) return kind === 'notice' ? 'Baton: notice' : 'Baton: a decision is needed';
  if (telling === 'finished') return `${who} finished`;
  if (cause.of === 'agent' && cause.what === 'countdown') return `${who}: automatic handoff soon`;
  if (telling === 'near_threshold') return `${who}: handoff suggested`;
  return sentence.startsWith(who) ? sentence : `${who}: ${kind === 'notice' ? 'notice' : 'decision needed'}`;
}

const RUN: Record<Exclude<InboxKind, 'question'>, string> = {
  failure: 'failed',
  decision: 'needs your decision',
  notice: 'has a notice',
};

function targetOf({ id, cause, agentId, runId }: InboxItem): NotificationTarget {
  const packageId = cause.of === 'package' ? cause.packageId : null;
  return { path: pathOf(cause, agentId, runId), itemId: id, agentId, runId, packageId };
}

/** The page where the operator can act on the item. */
function pathOf(cause: InboxItem['cause'], agentId: number | null, runId: number | null): string {
  if (cause.of === 'package') return `/packages/${cause.packageId}`;
  if (cause.of === 'persona') return `/personas/${cause.slug}`;
  if (cause.of === 'run') return `/runs/${cause.runId}`;
  if (cause.of === 'agent') return `/agents/${cause.agentId}`;
  if (runId !== null) return `/runs/${runId}`;
  return agentId === null ? '/inbox' : `/agents/${agentId}`;
}

function summaryOf(items: readonly InboxItem[]): Notification {
  const haveFailed = items.some((item) => notificationCategoryOf(item) === 'failures');
  const waited = items.every(({ notified }) => notified.held !== undefined);
  const what = haveFailed ? 'notifications about failures' : waited ? 'delayed notifications' : 'new notifications';
  const lines = items.slice(0, LISTED).map(({ sentence }) => `- ${short(sentence)}`);
  const rest = items.length - lines.length;
  return {
    title: `Baton: ${items.length} ${what}`,
    body: [...lines, `${rest > 0 ? `And ${rest} more. ` : ''}The inbox shows all of them.`].join('\n'),
    urgency: haveFailed ? 'critical' : items.every(({ kind }) => kind === 'notice') ? 'low' : 'normal',
  };
}

function short(sentence: string): string {
  const characters = [...sentence.replace(/\s+/g, ' ')];
  return characters.length <= MAX_LINE ? characters.join('') : `${characters.slice(0, MAX_LINE - 1).join('')}…`;
}
