/** An index for `baton agent why`, which asks for the latest events of one agent in a log of any length. */
export const eventsOfAgent: readonly string[] = [
  `CREATE INDEX events_of_agent ON events(agent_id, seq) WHERE agent_id IS NOT NULL`,
];
