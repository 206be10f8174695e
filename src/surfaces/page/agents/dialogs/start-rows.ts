/**
 * One row of the start dialog; each row describes one agent. A later row uses the values of the first row for
 * everything that it does not set.
 */
export interface StartRow {
  /**
   * The slug of a persona. Empty means no persona, NEW_PERSONA means a new persona, and null means the persona of the
   * first row.
   */
  readonly persona: string | null;
  /** The name and the role of a new persona. */
  readonly name: string;
  readonly role: string;
  /** The first prompt. Empty means no prompt, and null means the prompt of the first row. */
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
 * Returns the agents that the rows describe. If the first row has no choice of a persona, the agent of the first row
 * gets the persona `fallback`.
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
 * Returns a row of the dialog for an agent that could not be started. The row has its own persona and prompt, even if
 * the agent used those of the first row, because the first row may no longer be in the dialog.
 */
export const rowOf = ({ persona, prompt }: AgentToStart): StartRow =>
  typeof persona === 'string'
    ? { ...EMPTY_ROW, persona, prompt }
    : { ...EMPTY_ROW, ...persona, persona: NEW_PERSONA, prompt };
