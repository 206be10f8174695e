import { isLive } from '../../domain/agents/agent.ts';
import type { Ports } from '../ports/index.ts';

/** Listens to the operator's hooks for exactly the adopted agents, whatever a crash left behind. */
export async function syncAdoptedHooks(ports: Pick<Ports, 'store' | 'files' | 'spool' | 'agentToken'>): Promise<void> {
  const adopted = ports.store.read((tx) => tx.liveAgents()).filter(({ adoption }) => adoption === 'adopted');
  const heard = await ports.spool.listenOnlyTo(adopted.map(({ id }) => id));
  for (const { id, sessionUuid } of adopted.filter((agent) => !heard.includes(agent.id))) {
    // Read again: if it has ended or was released meanwhile, its hooks stay disabled.
    const now = ports.store.read((tx) => tx.agentById(id));
    const outside = now !== undefined && isLive(now) ? now.pane?.outside : undefined;
    if (outside === undefined) continue;
    const { pid, mark } = outside;
    const token = ports.agentToken(sessionUuid);
    await ports.spool.listenTo({ agentId: id, token, pid, mark, sessionStartPath: ports.files.sessionStartPath(id) });
  }
}
