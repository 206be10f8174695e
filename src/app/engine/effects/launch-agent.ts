import { type Agent, LAUNCH_UNKNOWN, paneTag } from '../../../domain/agents/agent.ts';
import type { Effect } from '../../../domain/effects.ts';
import type { Fact } from '../../../domain/facts.ts';
import { agentEnvironmentOf } from '../../agents/agent-environment.ts';
import { awaitNews } from '../../await-news.ts';
import { raiseNotice } from '../../inbox/raise-notice.ts';
import { layOutSkill } from '../../personas/skill-at-start.ts';
import type { LaunchContext } from '../../ports/agent-runtime.ts';
import type { Ports } from '../../ports/index.ts';
import type { LaunchRequest, PaneIdentity } from '../../ports/terminal.ts';
import { workingDirectoryOf } from '../../worktrees/working-directory.ts';
import { makeWorktree } from './make-worktree.ts';

/**
 * Launches an agent. The launch can be repeated, because each agent has its own tmux session name, and tmux creates
 * only one session with this name.
 */
export async function launchAgent(
  ports: Ports,
  { agentId }: Extract<Effect, { kind: 'launch_agent' }>,
): Promise<readonly Fact[]> {
  const { agent, persona, place } = ports.store.read((tx) => {
    const found = tx.agentById(agentId);
    const home = found && workingDirectoryOf(tx, found);
    if (!found || !home) throw new Error(`the stored data of agent ${agentId} is incomplete`);
    return {
      agent: found,
      place: home,
      persona: found.personaId === null ? undefined : tx.personaById(found.personaId),
    };
  });
  if (agent.registeredAt !== null) return findLaunched(ports, agent);
  const runtime = ports.runtimes.get(agent.runtime);
  if (runtime === undefined) throw new Error(`unknown runtime ${agent.runtime}`);
  await makeWorktree(ports, place);
  const context: LaunchContext = {
    agentId,
    sessionUuid: agent.sessionUuid,
    resumes:
      agent.resumesSession === null ? null : { sessionId: agent.resumesSession, transcriptPath: agent.transcriptPath },
    displayName: persona?.name ?? `agent ${agentId}`,
    clientArgs: [
      ...(agent.model === undefined ? [] : (runtime.modelArgs?.(agent.model) ?? [])),
      ...(agent.clientArgs ?? []),
    ],
    permissionMode: agent.permissionMode ?? null,
    projectPath: place.folder,
    personaHandoffsPath: persona === undefined ? null : ports.files.handoffsFolder(persona.slug),
    agentFolder: ports.files.agentFolder(agentId),
    batonProgram: ports.files.batonProgram(),
    hookCommand: ports.spool.hookCommand,
  };
  await runtime.prepareLaunch?.(context);
  if (persona !== undefined) await layOutSkill(ports, agent, persona);
  const surrounding = await agentEnvironmentOf(ports, { ...place.project, folder: place.folder });
  await tellProblems(ports, agentId, surrounding.problems);
  const plan = runtime.planLaunch(context);
  const argv = await ports.files.writeLaunch(agentId, {
    ...plan,
    cwd: place.folder,
    env: {
      ...Object.fromEntries(surrounding.variables.map(({ name, value }) => [name, value])),
      ...plan.env,
      ...identityEnv(ports, agent),
    },
    unsetEnv: [...plan.unsetEnv, ...surrounding.removed],
  });
  const hasBegun = (): boolean => ports.store.read((tx) => tx.agentById(agentId))?.registeredAt != null;
  const pane = await launchSurely(ports, {
    sessionName: agent.tmuxSession,
    tag: paneTag(agent),
    argv,
    hasBegun,
    awaitNews: (ms) => awaitNews(ports, ms),
  });
  return [
    pane === undefined
      ? { type: 'agent_launch_failed', agentId, detail: LAUNCH_UNKNOWN, isUnknown: true }
      : { type: 'agent_launched', agentId, pane, bootId: ports.bootId },
  ];
}

/**
 * Reports which environment variables this agent lacks. Does not report a problem with the login shell, because that
 * problem concerns all agents, and Baton reports it only once, not for each agent.
 */
async function tellProblems(ports: Ports, agentId: number, problems: readonly string[]): Promise<void> {
  const own = problems.filter((problem) => problem !== ports.environment.state().problem);
  if (own.length === 0) return;
  const sentence = `Agent ${agentId} was started without some of its environment variables: ${own.join(' ')}`;
  const about = { agentId, runId: null };
  await ports.store.write((tx) =>
    raiseNotice(tx, ports, { type: 'agent_warning', sentence }, about, `environment/${agentId}`),
  );
}

const TRIES = 4;

/**
 * Launches an agent. If the terminal does not answer, repeats the launch with the same name, because the agent may have
 * started nevertheless. If the terminal never answers, reconcile finds out later whether the agent runs.
 */
async function launchSurely(ports: Ports, request: LaunchRequest): Promise<PaneIdentity | undefined> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ports.terminal.launch(request);
    } catch (error) {
      const unknown = error instanceof Error && 'outcomeUnknown' in error && error.outcomeUnknown === true;
      if (!unknown) throw error;
      if (attempt === TRIES) return undefined;
    }
  }
}

/**
 * Finds the pane of an agent that an earlier attempt has already started, and whose session has begun. If the pane is
 * gone, the agent has ended, and Baton does not start it a second time.
 */
async function findLaunched(ports: Ports, agent: Agent): Promise<readonly Fact[]> {
  const { panes } = await ports.terminal.list();
  const found = panes.find(({ sessionName }) => sessionName === agent.tmuxSession);
  if (found !== undefined)
    return [{ type: 'agent_launched', agentId: agent.id, pane: found.identity, bootId: ports.bootId }];
  return [{ type: 'agent_launch_failed', agentId: agent.id, detail: 'the agent ended before Baton saw its pane' }];
}

/**
 * Returns the environment variables that identify the agent. The agent's process, its hooks and its `baton ack` use
 * them.
 */
export function identityEnv(ports: Ports, agent: Agent): Record<string, string> {
  return {
    BATON_AGENT_ID: String(agent.id),
    BATON_AGENT_TOKEN: ports.agentToken(agent.sessionUuid),
    BATON_SESSION_START: ports.files.sessionStartPath(agent.id),
    BATON_PREDECESSOR: agent.previousAgentId === null ? '' : String(agent.previousAgentId),
  };
}

export async function endAgent(
  ports: Ports,
  { agentId }: Extract<Effect, { kind: 'end_agent' }>,
): Promise<readonly Fact[]> {
  const agent = ports.store.read((tx) => tx.agentById(agentId));
  if (agent === undefined) return [];
  const pane = agent.pane ?? (await findPane(ports, agent));
  if (pane === undefined)
    return [{ type: 'agent_process_gone', agentId, detail: 'the agent was never started', failedToStart: true }];
  await ports.terminal.end(pane);
  return [];
}

/** Finds the pane of an agent whose launch reported no result. The agent may have started nevertheless. */
async function findPane(ports: Ports, agent: Agent): Promise<PaneIdentity | undefined> {
  const { panes } = await ports.terminal.list();
  return panes.find(({ sessionName, dead }) => sessionName === agent.tmuxSession && !dead)?.identity;
}
