import type { Effect } from '../../domain/effects.ts';
import { isWanted } from '../../domain/handoff/advance.ts';
import type { Ports } from '../world.ts';

/** A wish of a run that was cancelled or went on without it is not performed; asked again right before anything is typed. */
export function stillWanted(ports: Ports, effect: Effect): boolean {
  if (!('runId' in effect) || effect.runId === null) return true;
  const { runId } = effect;
  const run = ports.store.read((tx) => tx.runById(runId));
  return run !== undefined && isWanted(run, effect.kind);
}
