import type { InboxItem } from '../../../contract/resources.ts';

const RANKS: Readonly<Record<InboxItem['kind'], number>> = { failure: 0, question: 1, decision: 2, notice: 3 };

/** Sorts inbox items by their kind, the worst first. Items of the same kind keep the order of the server. */
export const worstFirst = (items: readonly InboxItem[]): InboxItem[] =>
  items.toSorted((a, b) => RANKS[a.kind] - RANKS[b.kind]);
