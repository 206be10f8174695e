import type { Effect } from '../../../domain/effects.ts';
import type { Fact } from '../../../domain/facts.ts';
import { errorMessage } from '../../error-message.ts';
import type { Ports } from '../../ports/index.ts';
import { stillWanted } from './still-wanted.ts';

/**
 * Presses Escape once, but only if the screen shows that the agent works. In an idle agent Escape would open a menu,
 * and in a dialog it would be an answer.
 */
export async function interruptAgent(
  ports: Ports,
  effect: Extract<Effect, { kind: 'interrupt_agent' }>,
): Promise<readonly Fact[]> {
  const { agentId } = effect;
  const agent = ports.store.read((tx) => tx.agentById(agentId));
  const reader = agent && ports.runtimes.get(agent.runtime);
  if (!agent?.pane || reader === undefined) throw new Error(`agent ${agentId} has no pane`);
  const refusal = await ports.terminal
    .interrupt(agent.pane, { reader, stillWanted: () => stillWanted(ports, effect) })
    .catch(errorMessage);
  ports.log.info('interrupted an agent', { agent: agentId, refused: refusal ?? 'no' });
  return [{ type: 'agent_interrupted', agentId, refusal: refusal ?? null }];
}
