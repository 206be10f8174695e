import type { Agent } from '../../domain/agents/agent.ts';
import { syncInboxForAgent } from '../inbox/sync-inbox.ts';
import type { Ports } from '../ports/index.ts';
import type { Tx } from '../ports/store.ts';

export interface NewAgent {
  readonly projectId: number;
  readonly personaId: number | null;
  readonly runtime: string;
  readonly previousAgentId: number | null;
  /** The worktree that it works in; absent: the project's own folder. */
  readonly worktreeId?: number | null;
  /** The ended agent whose conversation this one resumes; absent: a new conversation. */
  readonly resumes?: Agent;
  readonly clientArgs?: readonly string[];
  readonly permissionMode?: string;
}

/** How the operator runs the agent's client; a successor or resumed agent is run the same way. */
export const wayOf = ({ clientArgs, permissionMode }: Agent): Pick<NewAgent, 'clientArgs' | 'permissionMode'> => ({
  ...(clientArgs === undefined ? {} : { clientArgs }),
  ...(permissionMode === undefined ? {} : { permissionMode }),
});

/**
 * Stores the row first, with the session id and token for the process, then the launch effect. A session that starts
 * names its row by these, so Baton never has to guess which sessions are its own.
 */
export function createAgent(tx: Tx, ports: Ports, { resumes, ...wanted }: NewAgent): Agent {
  const now = ports.clock.now();
  const sessionUuid = ports.chance.uuid();
  const agent = tx.insertAgent({
    ...wanted,
    sessionUuid,
    runtimeSessionId: resumes === undefined ? null : sessionOf(resumes),
    resumesSession: resumes === undefined ? null : sessionOf(resumes),
    clientPid: null,
    tokenHash: ports.chance.sha256(ports.agentToken(sessionUuid)),
    pane: null,
    transcriptPath: resumes?.transcriptPath ?? null,
    state: 'starting',
    stateReason: 'is being started',
    turnPromptId: null,
    lastPrompt: resumes?.lastPrompt ?? null,
    context: null,
    // A resumed conversation already contains its skill, if it ever got it.
    priming: resumes?.priming.status === 'done' ? { status: 'done', at: now, warning: null } : { status: 'none' },
    messages: [],
    question: null,
    answers: [],
    // A muted conversation stays muted after a resume.
    muted: resumes?.muted ?? null,
    startedAt: now,
    registeredAt: null,
    lastSeenAt: now,
    endedAt: null,
  });
  // Client arguments may hold secrets, and the log is permanent.
  const { clientArgs: _, ...logged } = wanted;
  tx.appendEvent({
    at: now,
    agentId: agent.id,
    runId: null,
    type: 'agent_created',
    data: { ...logged, sessionUuid },
    dedupeKey: null,
  });
  tx.insertEffect({ kind: 'launch_agent', agentId: agent.id }, now);
  const previous = agent.previousAgentId === null ? undefined : tx.agentById(agent.previousAgentId);
  // Close the inbox item about the previous agent's end: this agent continues its work.
  if (previous !== undefined) syncInboxForAgent(tx, ports, previous);
  return agent;
}

/** Creates a new agent that resumes the conversation of an ended one; the old row stays as it was. */
export function bringBack(tx: Tx, ports: Ports, ended: Agent): Agent {
  const { projectId, personaId, runtime, worktreeId = null } = ended;
  return createAgent(tx, ports, {
    projectId,
    personaId,
    runtime,
    worktreeId,
    previousAgentId: ended.id,
    resumes: ended,
    ...wayOf(ended),
  });
}

const sessionOf = (agent: Agent): string => agent.runtimeSessionId ?? agent.sessionUuid;
