import type { PackageRow } from '../../../contract/packages/package-resources.ts';
import type { Agent } from '../../../contract/resources.ts';

type Row = Pick<PackageRow, 'waiter' | 'from' | 'to' | 'project_id'>;
type Taker = Pick<Agent, 'id' | 'persona' | 'project' | 'adopted'>;

/** Returns the name of the receiver or sender if that party must act; null if a person must act or the package has ended. */
function waitsFor({ waiter, from, to }: Row): string | null {
  if (waiter === 'receiver') return to;
  return waiter === 'sender' ? from : null;
}

/**
 * Returns a function that counts the packages that wait for an agent. A package counts if it belongs to the agent's
 * project and waits for this agent or for the agent's persona. For an adopted agent the count is 0, because an adopted
 * agent has no package tools.
 */
export function packagesWaiting(rows: readonly Row[]): (agent: Taker) => number {
  const byName = new Map<string, number>();
  for (const row of rows) {
    const name = waitsFor(row);
    const key = `${row.project_id} ${name}`;
    if (name !== null) byName.set(key, (byName.get(key) ?? 0) + 1);
  }
  return ({ id, persona, project, adopted }) => {
    if (adopted) return 0;
    const count = (name: string): number => byName.get(`${project.id} ${name}`) ?? 0;
    return count(`agent-${id}`) + (persona === null ? 0 : count(persona.slug));
  };
}
