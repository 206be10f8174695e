import { createChainCheck } from '../../src/adapters/stores/chain-check.ts';
import type { Tx } from '../../src/app/ports/store.ts';

const PAGE = 1000;

/**
 * Returns the number of the first event whose hash does not match the event before it. Returns undefined if all hashes
 * match. `baton doctor` does the same check on the database file of a home, without opening a store.
 */
export function firstBrokenEvent(tx: Pick<Tx, 'eventsAfter'>): number | undefined {
  const chain = createChainCheck();
  for (let page = tx.eventsAfter(0, PAGE); page.length > 0; page = tx.eventsAfter(page.at(-1)?.seq ?? 0, PAGE)) {
    for (const event of page) if (!chain.take(event)) return event.seq;
  }
  return chain.end();
}
