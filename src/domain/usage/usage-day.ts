import { sum, sumOfTokens, type Usage } from './usage.ts';

/** The agent and the local day to which usage is added. */
export interface UsageDay {
  /** A local day of this machine, such as 2026-11-18. */
  readonly day: string;
  readonly agentId: number;
  /** The persona that the agent had when Baton saw the usage. */
  readonly personaId: number | null;
  readonly projectId: number;
  readonly runtime: string;
}

export const USAGE_GROUPS = ['day', 'persona', 'project', 'agent'] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];

/** A filter for usage. An omitted field matches all usage. The days `since` and `until` are included. */
export interface UsageFilter {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly agentId?: number | undefined;
  readonly personaId?: number | undefined;
  readonly projectId?: number | undefined;
}

/** The usage of one group (a day, persona, project or agent) on one runtime. */
export interface UsageSum extends Usage {
  /** Identifies the group: a day, or the id of a persona, project or agent; null for agents without a persona. */
  readonly key: string | number | null;
  readonly runtime: string;
  /** How many agents took a turn. */
  readonly agents: number;
  /** How many of the agents that took a turn reported tokens. */
  readonly reporting: number;
}

/** The usage of one group on all runtimes. */
export interface UsageRow extends Usage {
  readonly key: string | number | null;
  readonly agents: number;
  /** The runtimes whose clients reported costs. The costs on other runtimes are unknown. */
  readonly costFrom: readonly string[];
  /** Agents whose clients reported no tokens, by runtime. The tokens of these agents are unknown. */
  readonly unreported: readonly { readonly runtime: string; readonly agents: number }[];
}

/** Adds up the usage of each group over all runtimes. The order of the groups stays the same. */
export function rowsOf(sums: readonly UsageSum[]): readonly UsageRow[] {
  const groups = new Map<UsageSum['key'], UsageSum[]>();
  for (const each of sums) groups.set(each.key, [...(groups.get(each.key) ?? []), each]);
  return [...groups].map(([key, ofKey]) => ({ key, ...totalUsage(ofKey) }));
}

/** Adds up sums of usage. An agent must not be in two of the sums, because it would be counted twice. */
export function totalUsage(sums: readonly UsageSum[]): Omit<UsageRow, 'key'> {
  const unreported = new Map<string, number>();
  for (const { runtime, agents, reporting } of sums)
    if (agents > reporting) unreported.set(runtime, (unreported.get(runtime) ?? 0) + agents - reporting);
  return {
    agents: sums.reduce((total, { agents }) => total + agents, 0),
    tokens: sums.reduce<UsageRow['tokens']>((total, { tokens }) => sumOfTokens(total, tokens), null),
    costMicros: sums.reduce<number | null>((total, { costMicros }) => sum(total, costMicros), null),
    costFrom: [...new Set(sums.filter(({ costMicros }) => costMicros !== null).map(({ runtime }) => runtime))].sort(),
    unreported: [...unreported].map(([runtime, agents]) => ({ runtime, agents })),
  };
}
