import type { Effect } from '../../../domain/effects.ts';
import { isWanted } from '../../../domain/handoffs/advance.ts';
import type { Ports } from '../../ports/index.ts';

/**
 * Returns false if the effect should no longer be performed, because its run was canceled or has advanced. An effect
 * that types text calls this function again right before it types.
 */
export function stillWanted(ports: Ports, effect: Effect): boolean {
  const { agentId } = effect;
  const agent = ports.store.read((tx) => tx.agentById(agentId));
  // After an agent was released, perform only the effect that removes Baton's tag and hooks.
  if (agent?.adoption === 'released' && effect.kind !== 'release_agent') return false;
  if (effect.kind === 'prime_agent') return agent?.priming.status === 'typing' && agent.priming.ref === effect.ref;
  if (!('runId' in effect) || effect.runId === null) return true;
  const { runId } = effect;
  const run = ports.store.read((tx) => tx.runById(runId));
  return run !== undefined && isWanted(run, effect.kind);
}
