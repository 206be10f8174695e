import { isLive } from '../../domain/agents/agent.ts';
import { agentNotFound } from '../../domain/agents/refuse-unreachable.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Refusal } from '../../domain/refusals.ts';
import { errorMessage } from '../error-message.ts';
import type { Ports } from '../ports/index.ts';
import type { Picture } from '../ports/terminal.ts';

/** The screen of an agent at one moment. */
export interface ShownScreen {
  readonly agentId: number;
  readonly at: Instant;
  readonly picture: Picture;
}

export async function showScreen(
  ports: Pick<Ports, 'store' | 'terminal' | 'clock'>,
  agentId: number,
): Promise<ShownScreen | Refusal> {
  const agent = ports.store.read((tx) => tx.agentById(agentId));
  if (agent === undefined) return agentNotFound(agentId);
  if (!isLive(agent)) return gone(agentId, `it is ${agent.state} (${agent.stateReason})`);
  if (agent.pane === null) return gone(agentId, 'it is still being started');
  try {
    const picture = await ports.terminal.picture(agent.pane);
    return picture === undefined
      ? gone(agentId, 'its pane no longer exists')
      : { agentId, at: ports.clock.now(), picture };
  } catch (error) {
    return { code: 'busy', sentence: `Baton could not read the screen of agent ${agentId}: ${errorMessage(error)}` };
  }
}

const gone = (agentId: number, why: string): Refusal => ({
  code: 'agent_has_no_pane',
  sentence: `Agent ${agentId} has no screen: ${why}. See the agent's state: baton agent why ${agentId}`,
});
