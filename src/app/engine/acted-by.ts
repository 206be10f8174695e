import { type Doer, isAct } from '../../domain/facts.ts';
import type { Ports } from '../ports/index.ts';
import type { Tx } from '../ports/store.ts';

/**
 * Returns ports whose store adds this person or agent (`by`) to every action in the log. Observations are logged
 * without a name. In all other respects the ports stay the same.
 */
export function actedBy(ports: Ports, by: Doer): Ports {
  const { store } = ports;
  return {
    ...ports,
    store: {
      write: (work) => store.write((tx) => work(named(tx, by))),
      read: (work) => store.read(work),
      onCommit: (listener) => store.onCommit(listener),
      beforeCommit: (listener) => store.beforeCommit(listener),
      close: () => store.close(),
    },
  };
}

const named = (tx: Tx, by: Doer): Tx => ({
  ...tx,
  appendEvent: (event) => tx.appendEvent(isAct(event.type) ? { ...event, data: { ...event.data, by } } : event),
});
