import { type Agent, lineageOf } from '../../domain/agents/agent.ts';
import { type AutoHandoff, NO_AUTO } from '../../domain/handoffs/policy/auto-handoff.ts';
import type { HandoffPolicy } from '../../domain/handoffs/policy/policy.ts';
import type { FirstPrompt } from '../../domain/messages/operator-message.ts';
import { inheritTo, type RunsOn } from '../../domain/personas/runs-on.ts';
import type { Ports } from '../ports/index.ts';
import type { Tx } from '../ports/store.ts';

export interface NewAgent {
  readonly projectId: number;
  readonly personaId: number | null;
  readonly runtime: string;
  readonly previousAgentId: number | null;
  /** The worktree in which the agent works; absent if the agent works in the project's own folder. */
  readonly worktreeId?: number | null;
  /** The ended agent whose conversation the new agent resumes; absent if the new agent begins a new conversation. */
  readonly resumes?: Agent;
  readonly clientArgs?: readonly string[];
  readonly model?: string;
  readonly permissionMode?: string;
  readonly firstPrompt?: FirstPrompt;
  readonly policy?: HandoffPolicy;
  readonly lineage?: number;
  readonly auto?: AutoHandoff;
}

/**
 * Returns the record of automatic handoffs with which a resumed conversation begins. This record takes over only one
 * thing from the record of the ended agent: the operator's decision to cancel or to snooze automatic handoffs. The
 * countdown, for example, begins anew.
 */
const autoToKeep = ({ isCancelled, snoozedUntil }: AutoHandoff): AutoHandoff => ({
  ...NO_AUTO,
  isCancelled,
  snoozedUntil,
});

/** The row of a new agent, which has no id yet. */
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
    // A resumed conversation keeps its recorded context use, because the conversation is as long as before.
    context: resumes?.context ?? null,
    ...(resumes?.cutOff ? { cutOff: resumes.cutOff } : {}),
    // If the resumed conversation already contains the skill, the agent does not get the skill again.
    priming: resumes?.priming.status === 'done' ? { status: 'done', at: now, warning: null } : { status: 'none' },
    messages: [],
    question: null,
    answers: [],
    // An agent that was muted stays muted when its conversation is resumed.
    muted: resumes?.muted ?? null,
    // A resumed conversation keeps the record of its work, because Baton hands off automatically only after recorded
    // work (SPEC H62). It also keeps the operator's decision to cancel or snooze its automatic handoffs.
    ...(resumes?.auto ? { auto: { ...autoToKeep(resumes.auto), ...wanted.auto, work: resumes.auto.work } } : {}),
    startedAt: now,
    registeredAt: null,
    lastSeenAt: now,
    endedAt: null,
  };
}

/**
 * Describes the successor of an agent. The successor has the folder, the persona and the handoff policy of its
 * predecessor. The successor runs on the same client unless the run names another client. The permission mode is kept
 * only on the same client, because each client has its own modes.
 */
export const succeeding = (predecessor: Agent, runsOn: RunsOn = { runtime: predecessor.runtime }): NewAgent => {
  const { id, projectId, personaId, permissionMode, policy, worktreeId = null } = predecessor;
  const { runtime, model, args } = inheritTo(runsOn, predecessor);
  return {
    projectId,
    personaId,
    runtime,
    worktreeId,
    previousAgentId: id,
    lineage: lineageOf(predecessor),
    ...(args === undefined ? {} : { clientArgs: args }),
    ...(model === undefined ? {} : { model }),
    ...(policy ? { policy } : {}),
    ...(permissionMode === undefined || runtime !== predecessor.runtime ? {} : { permissionMode }),
  };
};

/**
 * Describes a new agent that resumes the conversation of an ended agent. The row of the ended agent stays unchanged.
 */
export const resuming = (ended: Agent): NewAgent => ({ ...succeeding(ended), resumes: ended });

const sessionOf = (agent: Agent): string => agent.runtimeSessionId ?? agent.sessionUuid;
