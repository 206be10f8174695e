import type { StoredPackage } from '../../domain/package/stored-package.ts';
import type { Tx } from '../ports/store.ts';
import type { Ports } from '../world.ts';
import { heldUpChange } from './meant-agents.ts';
import { notePackage } from './record-package-fact.ts';

/**
 * P33. Agents come, go and change their personas without anything happening to a package. What happens to the package itself is
 * noted with that.
 */
export async function noteHeldUp(ports: Ports): Promise<void> {
  if (ports.store.read(changed).length === 0) return;
  await ports.store.write((tx) => {
    for (const stored of changed(tx)) {
      const { record } = stored;
      notePackage(tx, ports, stored, { note: 'held_up', agentId: null, record, changes: {} });
    }
  });
}

const changed = (tx: Tx): readonly StoredPackage[] =>
  tx.packages({ inFlight: true }).filter((stored) => 'heldUp' in heldUpChange(tx, stored));
