import type { Usage } from '../../domain/usage/usage.ts';
import type { UsageDay, UsageFilter, UsageGroup, UsageSum } from '../../domain/usage/usage-day.ts';

/** The part of the store for tokens by day and agent. */
export interface UsageTx {
  /**
   * Adds usage to the row of an agent and a day. A null value adds nothing. A row to which only null values were added
   * has an unknown usage.
   */
  addUsage(of: UsageDay, added: Usage): void;
  /**
   * Returns the usage in this period by group (day, persona, project or agent) and runtime, ordered by group. Reads
   * only the rows of this period; there is one row for each day and agent.
   */
  usageBy(group: UsageGroup, filter: UsageFilter): readonly UsageSum[];
  /** Returns how many tokens all agents used on this day, as far as the usage is known. */
  tokensOn(day: string): number;
}
