import { useState } from 'react';
import { type AgentOrder, isAgentOrder } from '../../../../contract/words/agent-orders.ts';

export type AgentGrouping = 'none' | 'project' | 'persona' | 'state';

/** The layout of the list of agents in this browser. */
export interface ListLook {
  readonly view: 'cards' | 'list';
  readonly sort: AgentOrder;
  readonly group: AgentGrouping;
}

const KEY = 'baton-agents';
const GROUPINGS: readonly string[] = ['none', 'project', 'persona', 'state'] satisfies AgentGrouping[];

/** Reads the remembered layout of the list. An unknown value, for example from a newer version of Baton, is ignored. */
export function readLook(kept: string | null): ListLook {
  let known: Readonly<Record<string, unknown>> = {};
  try {
    known = { ...JSON.parse(kept ?? '{}') };
  } catch {
    // Ignore a stored value that is not valid JSON.
  }
  const { view, sort, group } = known;
  return {
    view: view === 'list' ? 'list' : 'cards',
    sort: typeof sort === 'string' && isAgentOrder(sort) ? sort : 'need',
    group: typeof group === 'string' && GROUPINGS.includes(group) ? (group as AgentGrouping) : 'none',
  };
}

/** Returns the layout of the list, and a function that changes and remembers it. */
export function useListLook(): readonly [ListLook, (change: Partial<ListLook>) => void] {
  const [look, setLook] = useState(() => readLook(localStorage.getItem(KEY)));
  const change = (part: Partial<ListLook>): void => {
    const changed = { ...look, ...part };
    localStorage.setItem(KEY, JSON.stringify(changed));
    setLook(changed);
  };
  return [look, change];
}
