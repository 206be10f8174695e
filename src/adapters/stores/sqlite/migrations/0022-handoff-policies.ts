/**
 * The handoff policies of personas and projects, and the number of automatic handoffs of a persona on its last day, each
 * as JSON. The policy of an agent is in the agent's own row.
 */
export const handoffPolicies: readonly string[] = [
  `ALTER TABLE personas ADD COLUMN handoff_policy TEXT`,
  `ALTER TABLE personas ADD COLUMN auto_handoffs TEXT`,
  `ALTER TABLE projects ADD COLUMN handoff_policy TEXT`,
];
