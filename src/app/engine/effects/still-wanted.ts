import type { Effect } from '../../../domain/effects.ts';
import { isWanted } from '../../../domain/handoffs/advance.ts';
import type { Ports } from '../../ports/index.ts';

/** A wish of a run that was cancelled or went on without it is not performed; asked again right before anything is typed. */
export function stillWanted(ports: Ports, effect: Effect): boolean {
  const { agentId } = effect;
  const agent = ports.store.read((tx) => tx.agentById(agentId));
  // What was wished for an agent that the operator took back is over; but for taking the marks off.
  if (agent?.adoption === 'released' && effect.kind !== 'release_agent') return false;
  if (effect.kind === 'prime_agent') return agent?.priming.status === 'typing' && agent.priming.ref === effect.ref;
  if (!('runId' in effect) || effect.runId === null) return true;
  const { runId } = effect;
  const run = ports.store.read((tx) => tx.runById(runId));
  return run !== undefined && isWanted(run, effect.kind);
}
