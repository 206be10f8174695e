import type { PackageRow } from '../../../contract/packages/package-resources.ts';
import type { Agent } from '../../../contract/resources.ts';

type Row = Pick<PackageRow, 'state' | 'waiter' | 'from' | 'to' | 'project_id'>;
type Taker = Pick<Agent, 'id' | 'persona' | 'project' | 'adopted'>;

/**
 * Returns the name of the sender or receiver that must act; null if the package waits for somebody else. A pending
 * package waits for its receiver.
 */
function waitsFor({ state, waiter, from, to }: Row): string | null {
  if (state === 'pending' || waiter === 'receiver') return to;
  return waiter === 'sender' ? from : null;
}

/**
 * Returns how many packages wait for an agent, under its persona's name or its own name. An agent gets only the
 * packages of its own project. An adopted agent gets none, because it has no package tools.
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
