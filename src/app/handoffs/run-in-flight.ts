import type { Run } from '../../domain/handoffs/run.ts';
import type { Tx } from '../ports/store.ts';

/** Returns the run in flight in which this agent is the outgoing agent or the successor. */
export const runInFlightOf = (tx: Tx, agentId: number): Run | undefined => tx.runsInFlightOf(agentId)[0];
