import { createChainCheck } from '../../src/adapters/stores/chain-check.ts';
import type { Tx } from '../../src/app/ports/store.ts';

const PAGE = 1000;

/**
 * Returns the number of the first event whose hash does not match the event before it. Returns undefined if the chain
 * of hashes is intact. `baton doctor` checks the database file of a home in the same way, without opening a store.
 */
export function firstBrokenEvent(tx: Pick<Tx, 'eventsAfter'>): number | undefined {
  const chain = createChainCheck();
  for (let page = tx.eventsAfter(0, PAGE); page.length > 0; page = tx.eventsAfter(page.at(-1)?.seq ?? 0, PAGE)) {
    for (const event of page) if (!chain.take(event)) return event.seq;
  }
  return chain.end();
}
