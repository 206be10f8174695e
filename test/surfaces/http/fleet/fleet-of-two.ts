import type { FleetKind } from '../../../../src/app/ports/fleet/fleet-store.ts';
import type { Store } from '../../../../src/app/ports/store.ts';

/** Puts the Baton to which the store belongs, a machine called `desk`, into a fleet with the machine `laptop`. */
export async function joinFleetOfTwo(store: Store): Promise<void> {
  const members = ['desk', 'laptop'].map((name) => ({ name, key: `K-${name}`, role: 'operator', joinedAt: '' }));
  const hub = { host: '127.0.0.1', port: 1, certificate: null };
  await store.write((tx) => {
    tx.saveFleetNote('membership', JSON.stringify({ machine: 'desk', hub, founder: { name: 'desk', key: 'K-desk' } }));
    tx.saveFleetNote('roster', JSON.stringify({ text: JSON.stringify({ version: 1, members }), signature: '' }));
  });
}

/** Stores objects that the machine `laptop` has reported. */
export const reportOfLaptop = (store: Store, kind: FleetKind, rows: readonly { readonly id: number | string }[]) =>
  store.write((tx) => {
    for (const row of rows) {
      const body = JSON.stringify(row);
      tx.saveFleetObject({ machine: 'laptop', kind, id: String(row.id), position: 1, body });
    }
  });
