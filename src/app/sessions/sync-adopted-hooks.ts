import { type Agent, isLive } from '../../domain/agents/agent.ts';
import type { Ports } from '../ports/index.ts';

/**
 * Makes Baton listen to the operator's hooks for all adopted agents and for no others. `seen` are the agents that were
 * live a moment ago. The live agents are read again before a change, because an agent may have been adopted meanwhile.
 */
export async function syncAdoptedHooks(
  ports: Pick<Ports, 'store' | 'files' | 'spool' | 'agentToken'>,
  seen: readonly Agent[],
): Promise<void> {
  if (!ports.spool.isListening() && !seen.some(({ adoption }) => adoption === 'adopted')) return;
  const adopted = ports.store.read((tx) => tx.liveAgents()).filter(({ adoption }) => adoption === 'adopted');
  const heard = await ports.spool.listenOnlyTo(adopted.map(({ id }) => id));
  for (const { id, sessionUuid } of adopted.filter((agent) => !heard.includes(agent.id))) {
    // Read the agent again. If the agent has ended or the operator has released it in the meantime, its hooks stay
    // disabled.
    const now = ports.store.read((tx) => tx.agentById(id));
    const outside = now !== undefined && isLive(now) ? now.pane?.outside : undefined;
    if (outside === undefined) continue;
    const { pid, mark } = outside;
    const token = ports.agentToken(sessionUuid);
    await ports.spool.listenTo({ agentId: id, token, pid, mark, sessionStartPath: ports.files.sessionStartPath(id) });
  }
}
