import { isLive } from '../../../domain/agents/agent.ts';
import type { Instant } from '../../../domain/instant.ts';
import type { Ports } from '../../ports/index.ts';
import { clientStatus, saysRest } from './client-status.ts';

export interface Rest {
  /**
   * The evidence that the agent is idle. `screen` means that the client reports no status and its screen shows a free
   * composer. The screen alone is enough to accept a complete document, but not to type into the agent.
   */
  readonly by: 'state' | 'status' | 'screen';
  readonly lastSeenAt: Instant;
}

/**
 * How long an agent must look idle and send no new hook before Baton believes that the agent is idle. The time depends
 * on the kind of evidence. The screen needs the longest time, because a busy client may draw its sign of work only some
 * time after its hook.
 */
export const REST_STABLE_MS: Readonly<Record<Rest['by'], number>> = { state: 0, status: 500, screen: 2_000 };

/**
 * Returns the evidence that an agent with a complete document is idle (SPEC H13). Returns undefined if Baton sees no
 * such evidence.
 */
export async function restWithDocument(ports: Ports, agentId: number): Promise<Rest | undefined> {
  const agent = ports.store.read((tx) => tx.agentById(agentId));
  if (agent === undefined) return { by: 'state', lastSeenAt: ports.clock.now() };
  const { lastSeenAt, state, pane, tool } = agent;
  if (!isLive(agent) || state === 'idle') return { by: 'state', lastSeenAt };
  if (pane === null || (state !== 'working' && state !== 'unknown')) return undefined;
  const screen = await ports.terminal.capture(pane);
  if (screen === undefined || ports.runtimes.get(agent.runtime)?.readScreen(screen).kind !== 'ready') return undefined;
  const status = await clientStatus(ports, agent);
  if (status !== undefined) return saysRest(status) ? { by: 'status', lastSeenAt } : undefined;
  // If a tool has begun and not ended, the agent counts as working, even if the screen shows no sign of work.
  return tool ? undefined : { by: 'screen', lastSeenAt };
}
