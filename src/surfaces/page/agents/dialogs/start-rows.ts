/** One agent in the start dialog. If a later row does not set a value, the value of the first row applies. */
export interface StartRow {
  /**
   * The slug of a persona; empty for no persona; NEW_PERSONA for a new persona; null for the persona of the first row.
   */
  readonly persona: string | null;
  /** The name and the role of a new persona. */
  readonly name: string;
  readonly role: string;
  /** The first prompt; empty for none; null for the prompt of the first row. */
  readonly prompt: string | null;
}

export const NEW_PERSONA = 'new persona';
export const EMPTY_ROW: StartRow = { persona: null, name: '', role: '', prompt: null };

/** An agent to start: with a known persona, with a new persona, or with the persona of the first agent. */
export interface AgentToStart {
  readonly persona: string | { readonly name: string; readonly role: string };
  readonly prompt: string;
}

/**
 * Returns the agents that the rows describe. If the operator chose no persona in the first row, its agent gets the
 * persona `fallback`.
 */
export function agentsOf(rows: readonly StartRow[], count: number, fallback: string): readonly AgentToStart[] {
  const first = agentOf(rows[0] ?? EMPTY_ROW, { persona: fallback, prompt: '' });
  return Array.from({ length: count }, (_, at) => (at === 0 ? first : agentOf(rows[at] ?? EMPTY_ROW, first)));
}

function agentOf({ persona, name, role, prompt }: StartRow, otherwise: AgentToStart): AgentToStart {
  const isNew = persona === NEW_PERSONA;
  return {
    persona: isNew ? { name: name.trim(), role: role.trim() } : (persona ?? otherwise.persona),
    prompt: prompt?.trim() ?? otherwise.prompt,
  };
}

/**
 * Converts an agent that was not started back to a row of the dialog. The row names its persona and prompt, because the
 * first row may have been removed.
 */
export const rowOf = ({ persona, prompt }: AgentToStart): StartRow =>
  typeof persona === 'string'
    ? { ...EMPTY_ROW, persona, prompt }
    : { ...EMPTY_ROW, ...persona, persona: NEW_PERSONA, prompt };
