/**
 * The handoff policies of personas and projects, as JSON. `auto_handoffs` contains the last day on which the persona
 * had an automatic handoff, and how many it had on that day. The policy of an agent is in the agent's own row.
 */
export const handoffPolicies: readonly string[] = [
  `ALTER TABLE personas ADD COLUMN handoff_policy TEXT`,
  `ALTER TABLE personas ADD COLUMN auto_handoffs TEXT`,
  `ALTER TABLE projects ADD COLUMN handoff_policy TEXT`,
];
