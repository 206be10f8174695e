import type { Run } from '../../domain/handoffs/run.ts';
import type { Tx } from '../ports/store.ts';

/** The run in flight that this agent takes part in, as the outgoing agent or as the successor. */
export const runInFlightOf = (tx: Tx, agentId: number): Run | undefined => tx.runsInFlightOf(agentId)[0];
