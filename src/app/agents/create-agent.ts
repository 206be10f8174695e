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
  /** The conversation that it goes on with, instead of beginning one. */
  readonly resumes?: Agent;
  readonly clientArgs?: readonly string[];
  readonly permissionMode?: string;
}

/** How the operator runs its client; whoever goes on for it is run the same way. */
export const wayOf = ({ clientArgs, permissionMode }: Agent): Pick<NewAgent, 'clientArgs' | 'permissionMode'> => ({
  ...(clientArgs === undefined ? {} : { clientArgs }),
  ...(permissionMode === undefined ? {} : { permissionMode }),
});

/**
 * The row first, with the session id and token the process will be started with, then the wish to launch it: a session
 * that starts is never guessed to be ours, it says which row it belongs to.
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
    // A conversation that goes on has its skill in it already, if it ever got it.
    priming: resumes?.priming.status === 'done' ? { status: 'done', at: now, warning: null } : { status: 'none' },
    messages: [],
    question: null,
    answers: [],
    // What was not to be told of this conversation is not told now either.
    muted: resumes?.muted ?? null,
    startedAt: now,
    registeredAt: null,
    lastSeenAt: now,
    endedAt: null,
  });
  // Arguments may hold what nobody should keep for ever.
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
  // That it had ended is no news any more: somebody goes on.
  if (previous !== undefined) syncInboxForAgent(tx, ports, previous);
  return agent;
}

/** A new agent in which the conversation of one that has ended goes on; the old one stays what it was. */
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
