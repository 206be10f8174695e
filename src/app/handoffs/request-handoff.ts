import { begin } from '../../domain/handoffs/advance.ts';
import { type HandoffRequest, validateRequest } from '../../domain/handoffs/request.ts';
import { NEW_RUN, type Run } from '../../domain/handoffs/run.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import { beginRun, type FactPorts } from '../engine/record-facts.ts';
import { loadRunContext } from '../engine/run-context.ts';
import { syncInboxForRun } from '../inbox/sync-inbox.ts';
import type { Ports } from '../ports/index.ts';
import type { Tx } from '../ports/store.ts';

/** Starts a handoff run and returns at once; all further steps happen through facts and effects. */
export function requestHandoff(
  ports: FactPorts & Pick<Ports, 'store'>,
  agentId: number,
  request: HandoffRequest,
): Promise<Run | Refusal> {
  return ports.store.write((tx) => {
    const judged = validateRequest(
      tx.agentById(agentId),
      runsTouching(tx, agentId),
      tx.handoffOfAgent(agentId),
      request,
    );
    if (isRefusal(judged)) return judged;
    const unfit = refuseNote(ports, judged);
    if (unfit !== undefined) return unfit;
    const begun = beginRun(tx, ports, newRun(ports, agentId, judged), begin);
    closeEarlier(tx, ports, begun);
    return begun;
  });
}

/** Refuses a note with a secret, because a note is typed exactly as given and stored with its run. */
export const refuseNote = ({ secrets }: Pick<Ports, 'secrets'>, { note }: Pick<Run, 'note'>): Refusal | undefined =>
  note === null || secrets.redact(note) === note
    ? undefined
    : {
        code: 'bad_request',
        sentence:
          'The note contains what looks like a secret, and Baton stores notes; say where to find the secret instead',
      };

/** Closes the inbox items of this agent's earlier runs and of the run that created it. */
export function closeEarlier(tx: Tx, ports: FactPorts, { id, agentId }: Run): void {
  const predecessorId = tx.agentById(agentId)?.previousAgentId ?? null;
  const made = predecessorId === null ? [] : tx.runsOfAgent(predecessorId);
  for (const earlier of [...tx.runsOfAgent(agentId), ...made]) {
    if (earlier.id !== id) syncInboxForRun(tx, ports, earlier, loadRunContext(tx, ports, earlier));
  }
}

export function newRun(
  ports: Pick<Ports, 'clock' | 'chance'>,
  agentId: number,
  wanted: Pick<Run, 'reason' | 'note'> & Partial<Run>,
): Parameters<Tx['insertRun']>[0] {
  const now = ports.clock.now();
  return {
    ...NEW_RUN,
    agentId,
    successorAgentId: null,
    handoffId: null,
    step: 'requested',
    failure: null,
    nonce: ports.chance.token(10).toLowerCase(),
    endToken: ports.chance.token(20),
    document: null,
    delivery: null,
    deadlineAt: null,
    safePointDeadlineAt: null,
    pausedAt: null,
    lookedAt: now,
    retryAt: null,
    compactedSinceInstruction: false,
    warnings: [],
    acknowledgement: null,
    steps: [],
    createdAt: now,
    updatedAt: now,
    ...wanted,
  };
}

/**
 * Returns the agent's runs, including the run in flight of which it is the successor, because an agent that is still
 * receiving a handoff has nothing to hand off yet.
 */
export function runsTouching(tx: Tx, agentId: number): readonly Run[] {
  return [...tx.runsOfAgent(agentId), ...tx.runsInFlightOf(agentId).filter((run) => run.successorAgentId === agentId)];
}
