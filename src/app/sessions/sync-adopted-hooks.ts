import { isLive } from '../../domain/agents/agent.ts';
import type { Ports } from '../ports/index.ts';

/** Makes Baton listen to the operator's hooks for all adopted agents and for no others, whatever a crash has left. */
export async function syncAdoptedHooks(ports: Pick<Ports, 'store' | 'files' | 'spool' | 'agentToken'>): Promise<void> {
  const adopted = ports.store.read((tx) => tx.liveAgents()).filter(({ adoption }) => adoption === 'adopted');
  const heard = await ports.spool.listenOnlyTo(adopted.map(({ id }) => id));
  for (const { id, sessionUuid } of adopted.filter((agent) => !heard.includes(agent.id))) {
    // Read the agent again, because its hooks must stay disabled if it has ended or was released meanwhile.
    const now = ports.store.read((tx) => tx.agentById(id));
    const outside = now !== undefined && isLive(now) ? now.pane?.outside : undefined;
    if (outside === undefined) continue;
    const { pid, mark } = outside;
    const token = ports.agentToken(sessionUuid);
    await ports.spool.listenTo({ agentId: id, token, pid, mark, sessionStartPath: ports.files.sessionStartPath(id) });
  }
}
