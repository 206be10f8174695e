import type { Agent } from '../../domain/agents/agent.ts';
import type { Ports } from '../ports/index.ts';
import type { Tx } from '../ports/store.ts';

export interface NewAgent {
  readonly projectId: number;
  readonly personaId: number | null;
  readonly runtime: string;
  readonly previousAgentId: number | null;
  /** The worktree in which the agent works; absent for the project's own folder. */
  readonly worktreeId?: number | null;
  /** The ended agent whose conversation the new agent resumes; absent for a new conversation. */
  readonly resumes?: Agent;
  readonly clientArgs?: readonly string[];
  readonly permissionMode?: string;
}

/** Returns how the agent's client is run; a successor or a resumed agent runs in the same way. */
const wayOf = ({ clientArgs, permissionMode }: Agent): Pick<NewAgent, 'clientArgs' | 'permissionMode'> => ({
  ...(clientArgs === undefined ? {} : { clientArgs }),
  ...(permissionMode === undefined ? {} : { permissionMode }),
});

/** The row of a new agent that has no id yet. */
export type AgentRow = Parameters<Tx['insertAgent']>[0];

export function newAgent(
  ports: Pick<Ports, 'clock' | 'chance' | 'agentToken'>,
  { resumes, ...wanted }: NewAgent,
): AgentRow {
  const now = ports.clock.now();
  const sessionUuid = ports.chance.uuid();
  return {
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
    stateCause: null,
    turnPromptId: null,
    lastPrompt: resumes?.lastPrompt ?? null,
    context: null,
    // A resumed conversation already contains its skill, if the skill was given before.
    priming: resumes?.priming.status === 'done' ? { status: 'done', at: now, warning: null } : { status: 'none' },
    messages: [],
    question: null,
    answers: [],
    // If the conversation was muted, it stays muted after the resume.
    muted: resumes?.muted ?? null,
    startedAt: now,
    registeredAt: null,
    lastSeenAt: now,
    endedAt: null,
  };
}

/** A successor works in the same folder as its predecessor, with the same persona and client. */
export const succeeding = (predecessor: Agent): NewAgent => {
  const { id, projectId, personaId, runtime, worktreeId = null } = predecessor;
  return { projectId, personaId, runtime, worktreeId, previousAgentId: id, ...wayOf(predecessor) };
};

/** A new agent that resumes the conversation of an ended agent; the row of the ended agent stays unchanged. */
export const resuming = (ended: Agent): NewAgent => ({ ...succeeding(ended), resumes: ended });

const sessionOf = (agent: Agent): string => agent.runtimeSessionId ?? agent.sessionUuid;
