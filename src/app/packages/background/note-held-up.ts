import { canonicalJson } from '../../../domain/packages/content/canonical-json.ts';
import type { StoredPackage } from '../../../domain/packages/stored-package.ts';
import type { Ports } from '../../ports/index.ts';
import type { Tx } from '../../ports/store.ts';
import { notePackage } from '../record-package-fact.ts';
import { aroundAdopted, findHeldUp } from './addressees.ts';

/** Maximum number of packages per transaction; the next reconcile updates the rest. */
const MAX_AT_ONCE = 200;

/**
 * Updates the field `heldUp` of packages after agents have started, ended or changed their personas (SPEC P33). When a
 * package itself changes, the transaction of that change updates the field.
 */
export async function noteHeldUp(ports: Pick<Ports, 'store' | 'secrets' | 'clock'>): Promise<void> {
  if (ports.store.read(changed).length === 0) return;
  await ports.store.write((tx) => {
    for (const stored of changed(tx)) {
      const { record } = stored;
      notePackage(tx, ports, stored, { note: 'held_up', agentId: null, record, changes: {} });
    }
  });
}

function changed(tx: Tx): readonly StoredPackage[] {
  const agents = aroundAdopted(tx);
  return tx
    .packageKeys('waits')
    .filter((key) => canonicalJson(findHeldUp(key, agents)) !== canonicalJson(key.heldUp))
    .flatMap((key) => tx.packagesMarked('waits', key, MAX_AT_ONCE))
    .slice(0, MAX_AT_ONCE);
}
