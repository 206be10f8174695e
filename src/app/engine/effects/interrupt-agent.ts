import type { Agent } from '../../../domain/agents/agent.ts';
import type { Effect } from '../../../domain/effects.ts';
import type { Fact } from '../../../domain/facts.ts';
import { errorMessage } from '../../error-message.ts';
import type { Ports } from '../../ports/index.ts';
import { clientStatus, controlledSession, saysWork } from '../client/client-status.ts';
import { stillWanted } from './still-wanted.ts';

export async function interruptAgent(
  ports: Ports,
  effect: Extract<Effect, { kind: 'interrupt_agent' }>,
): Promise<readonly Fact[]> {
  const { agentId } = effect;
  const refusal = await pressEscape(ports, agentId, () => stillWanted(ports, effect));
  return [{ type: 'agent_interrupted', agentId, refusal: refusal ?? null }];
}

/**
 * Interrupts the agent through the client's control API if this API reports that the agent is working. If not, presses
 * Escape once, but only if the screen shows a sign of work: Escape would open a menu in an idle agent, and answer an
 * open dialog. If nothing was interrupted, returns the reason.
 */
export async function pressEscape(ports: Ports, agentId: number, isWanted: () => boolean): Promise<string | undefined> {
  const agent = ports.store.read((tx) => tx.agentById(agentId));
  const reader = agent && ports.runtimes.get(agent.runtime);
  if (!agent?.pane || reader === undefined) throw new Error(`agent ${agentId} has no pane`);
  const refusal = (await isWorkingByApi(ports, agent))
    ? await reader.control?.interrupt?.(controlledSession(ports, agent)).catch(errorMessage)
    : await ports.terminal.interrupt(agent.pane, { reader, stillWanted: isWanted }).catch(errorMessage);
  ports.log.info('interrupted an agent', { agent: agentId, refused: refusal ?? 'no' });
  return refusal;
}

async function isWorkingByApi(ports: Ports, agent: Agent): Promise<boolean> {
  if (ports.runtimes.get(agent.runtime)?.control?.interrupt === undefined) return false;
  const status = await clientStatus(ports, agent);
  return status?.byApi === true && saysWork(status);
}
