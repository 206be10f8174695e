import type { Tx } from '../ports/store.ts';

/** The functions of the store that read the data for showing a handoff run. */
export type RunReads = Pick<
  Tx,
  'agentById' | 'personaById' | 'projectById' | 'runsOfAgent' | 'successorsOf' | 'openPoints'
>;

/**
 * Reads each row only once for a whole list of runs, because many runs in a list have the same agents, personas and
 * projects.
 */
export const rememberReads = (read: <T>(work: (tx: RunReads) => T) => T): RunReads => ({
  agentById: remembered((id) => read((tx) => tx.agentById(id))),
  personaById: remembered((id) => read((tx) => tx.personaById(id))),
  projectById: remembered((id) => read((tx) => tx.projectById(id))),
  runsOfAgent: remembered((id) => read((tx) => tx.runsOfAgent(id))),
  successorsOf: remembered((id) => read((tx) => tx.successorsOf(id))),
  openPoints: remembered((id) => read((tx) => tx.openPoints(id))),
});

export function remembered<T>(ask: (id: number) => T): (id: number) => T {
  const known = new Map<number, T>();
  return (id) => {
    if (!known.has(id)) known.set(id, ask(id));
    return known.get(id) as T;
  };
}
