import type { Agent } from '../agents/agent.ts';
import { agentLabel } from '../agents/apply-fact.ts';
import type { Instant } from '../instant.ts';
import { type InboxItem, thresholdSentence } from './inbox.ts';
import type { AgentTopic } from './inbox-cause.ts';
import { compareNeeds, type Ranked, type Severity } from './severity.ts';

/** The operator's most urgent task with an agent: an open inbox item or a suggested handoff. */
export interface Need {
  readonly severity: Severity;
  readonly sentence: string;
  readonly since: Instant;
  /** The inbox item that the operator should act on; null for a suggested handoff without an inbox item. */
  readonly itemId: number | null;
}

const HANDOFF_TOPICS: ReadonlySet<AgentTopic> = new Set(['near-threshold', 'countdown', 'asks-handoff']);

export function severityOf({ cause, kind }: Pick<InboxItem, 'cause' | 'kind'>): Severity {
  if (kind === 'failure' || cause.of === 'trouble') return 'failed';
  if (kind === 'question') return 'question';
  if (cause.of === 'outage') return 'lost';
  if (cause.of === 'agent') {
    if (cause.what === 'gone') return 'lost';
    if (HANDOFF_TOPICS.has(cause.what)) return 'handoff';
    return cause.what === 'finished' ? 'notice' : 'stuck';
  }
  if (kind === 'notice') return 'notice';
  return cause.of === 'package' && !cause.what.startsWith('decide/') ? 'stuck' : 'decision';
}

/**
 * Returns the operator's most urgent task with an agent: one of the agent's open inbox items, or a suggested handoff.
 * Returns null if there is no task. Dismissed items do not count.
 */
export function needOf(
  agent: Agent,
  items: readonly InboxItem[],
  { name, isHandoffOffered }: { readonly name: string | null; readonly isHandoffOffered: boolean },
): Need | null {
  const needs: Need[] = items.map((item) => ({
    severity: severityOf(item),
    sentence: item.sentence,
    since: item.openedAt,
    itemId: item.id,
  }));
  if (isHandoffOffered)
    needs.push({
      severity: 'handoff',
      sentence: thresholdSentence(agent, agentLabel(agent, name)),
      since: agent.startedAt,
      itemId: null,
    });
  return needs.sort(compareNeeds)[0] ?? null;
}

/** Sorts inbox items: the most urgent item first, and of two equally urgent items the older one first. */
export const worstFirst = (items: readonly InboxItem[]): readonly InboxItem[] =>
  [...items].sort((one, other) => compareNeeds(rankOf(one), rankOf(other)) || one.id - other.id);

const rankOf = (item: InboxItem): Ranked => ({ severity: severityOf(item), since: item.openedAt });
