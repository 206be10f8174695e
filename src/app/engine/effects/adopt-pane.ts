import type { Agent, Pane } from '../../../domain/agents/agent.ts';
import type { Effect } from '../../../domain/effects.ts';
import type { Fact } from '../../../domain/facts.ts';
import { errorMessage } from '../../error-message.ts';
import type { AgentRuntime } from '../../ports/agent-runtime.ts';
import type { Ports } from '../../ports/index.ts';
import { clientStatus, saysRest } from '../client/client-status.ts';

type Of<K extends Effect['kind']> = Extract<Effect, { kind: K }>;

/**
 * Adopts a session in three steps, each of which can be repeated after a crash. First, Baton claims the pane, because
 * tmux lets only one Baton mark a pane. Then it enables the hooks of the session. Last, it reports the adoption.
 */
export async function adoptPane(ports: Ports, { agentId, pane }: Of<'adopt_agent'>): Promise<readonly Fact[]> {
  const { agent, runtime } = ports.store.read((tx) => {
    const found = tx.agentById(agentId);
    return { agent: found, runtime: found && ports.runtimes.get(found.runtime) };
  });
  const { outside } = pane;
  if (agent === undefined || runtime === undefined || outside === undefined)
    throw new Error('the stored data of the session is incomplete');
  const failed = (detail: string): readonly Fact[] => [{ type: 'agent_adoption_failed', agentId, detail }];
  try {
    if ((await ports.processMark(outside.pid)) !== outside.mark) return failed('its process has ended');
    if (!(await ports.terminal.claim(pane)))
      return failed('its pane no longer exists, or another Baton has adopted it');
    ports.checkpoint('adopt_agent:claimed_pane');
    await ports.spool.listenTo({
      agentId,
      token: ports.agentToken(agent.sessionUuid),
      pid: outside.pid,
      mark: outside.mark,
      sessionStartPath: ports.files.sessionStartPath(agentId),
    });
    return [{ type: 'agent_adopted', agentId, pane, isWorking: await isWorking(ports, { ...agent, pane }, runtime) }];
  } catch (error) {
    await ports.terminal.release(pane).catch(() => undefined);
    return failed(errorMessage(error));
  }
}

/**
 * Returns whether the adopted agent is busy. Returns null if the client reports no status and the screen shows no sign
 * of work, because such a screen does not prove that the agent is idle.
 */
async function isWorking(ports: Ports, agent: Agent & { pane: Pane }, runtime: AgentRuntime): Promise<boolean | null> {
  const screen = await ports.terminal.capture(agent.pane);
  if (screen !== undefined && runtime.readScreen(screen).kind === 'busy') return true;
  const status = await clientStatus(ports, agent);
  return status === undefined ? null : !saysRest(status);
}

export async function releasePane(ports: Ports, { agentId, pane }: Of<'release_agent'>): Promise<readonly Fact[]> {
  const others = ports.store.read((tx) => tx.liveAgents()).map(({ id }) => id);
  await ports.spool.listenOnlyTo(others.filter((id) => id !== agentId));
  await ports.terminal.release(pane);
  return [];
}
