import type { PackageRow } from '../../../contract/packages/package-resources.ts';
import type { Agent } from '../../../contract/resources.ts';

type Row = Pick<PackageRow, 'state' | 'waiter' | 'from' | 'to'>;

/** The name of the party that must act; a pending package waits for its receiver. */
function waitsFor({ state, waiter, from, to }: Row): string | null {
  if (state === 'pending' || waiter === 'receiver') return to;
  return waiter === 'sender' ? from : null;
}

/** How many packages wait for an agent, under its persona's name or its own name. */
export function packagesWaiting(rows: readonly Row[]): (agent: Pick<Agent, 'id' | 'persona'>) => number {
  const byName = new Map<string, number>();
  for (const row of rows) {
    const name = waitsFor(row);
    if (name !== null) byName.set(name, (byName.get(name) ?? 0) + 1);
  }
  return ({ id, persona }) =>
    (byName.get(`agent-${id}`) ?? 0) + (persona === null ? 0 : (byName.get(persona.slug) ?? 0));
}
