import type { Agent } from '../domain/agent/agent.ts';
import type { Tx } from './ports/store.ts';
import type { Ports } from './world.ts';

export interface NewAgent {
  readonly projectId: number;
  readonly personaId: number | null;
  readonly runtime: string;
  readonly previousAgentId: number | null;
}

/**
 * The row first, with the session id and token the process will be started with, then the wish to launch it: a session
 * that starts is never guessed to be ours, it says which row it belongs to.
 */
export function createAgent(tx: Tx, ports: Ports, wanted: NewAgent): Agent {
  const now = ports.clock.now();
  const sessionUuid = ports.chance.uuid();
  const agent = tx.insertAgent({
    ...wanted,
    sessionUuid,
    runtimeSessionId: null,
    tokenHash: ports.chance.sha256(ports.agentToken(sessionUuid)),
    pane: null,
    transcriptPath: null,
    state: 'starting',
    stateReason: 'is being started',
    turnPromptId: null,
    lastPrompt: null,
    context: null,
    priming: { status: 'none' },
    startedAt: now,
    registeredAt: null,
    lastSeenAt: now,
    endedAt: null,
  });
  tx.appendEvent({
    at: now,
    agentId: agent.id,
    runId: null,
    type: 'agent_created',
    data: { ...wanted, sessionUuid },
    dedupeKey: null,
  });
  tx.insertEffect({ kind: 'launch_agent', agentId: agent.id }, now);
  return agent;
}
