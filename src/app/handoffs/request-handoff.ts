import { agentNotFound } from '../../domain/agents/refuse-unreachable.ts';
import { begin } from '../../domain/handoffs/advance.ts';
import { autoOf } from '../../domain/handoffs/policy/auto-handoff.ts';
import { type HandoffRequest, usualReason, validateRequest } from '../../domain/handoffs/request.ts';
import { NEW_RUN, type Run } from '../../domain/handoffs/run.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import { beginRun, type FactPorts } from '../engine/record-facts.ts';
import { loadRunContext } from '../engine/run-context.ts';
import { syncInboxForRun } from '../inbox/sync-inbox.ts';
import { chosenForSuccessor, type RuntimeRequest } from '../personas/choose-runtime.ts';
import type { Ports } from '../ports/index.ts';
import type { Tx } from '../ports/store.ts';
import { unreceivedBy } from './run-in-flight.ts';

/** Starts a handoff run and returns at once; all further steps happen through facts and effects. */
export async function requestHandoff(
  ports: FactPorts & Pick<Ports, 'store' | 'environment'>,
  agentId: number,
  asked: HandoffRequest,
  successor: RuntimeRequest = {},
): Promise<Run | Refusal> {
  const judge = (tx: Tx, request: HandoffRequest) =>
    validateRequest(
      tx.agentById(agentId) ?? agentNotFound(agentId),
      runsTouching(tx, agentId),
      tx.handoffOfAgent(agentId),
      request,
    );
  const early = ports.store.read((tx) => judge(tx, asked));
  if (isRefusal(early)) return early;
  const request = await withSuccessor(ports, agentId, asked, successor);
  if (isRefusal(request)) return request;
  return ports.store.write((tx) => {
    const agent = tx.agentById(agentId);
    const usual = agent && usualReason(agent, ports.operatorSettings.current().handoffAtPercent);
    const judged = judge(tx, { ...request, reason: request.reason ?? usual });
    if (isRefusal(judged)) return judged;
    const unfit = refuseNote(ports, judged);
    if (unfit !== undefined) return unfit;
    return beginHandoff(tx, ports, agentId, judged);
  });
}

/**
 * Stores a new run for this agent and performs the run's first step. If the agent asked for the handoff, the run
 * contains the agent's reason.
 */
export function beginHandoff(
  tx: Tx,
  ports: FactPorts,
  agentId: number,
  wanted: Pick<Run, 'reason' | 'note'> & Partial<Run>,
): Run {
  const agent = tx.agentById(agentId);
  const askedBecause = (agent && autoOf(agent).request?.reason) ?? null;
  const begun = beginRun(tx, ports, newRun(ports, agentId, { ...wanted, askedBecause }), begin);
  closeEarlier(tx, ports, begun);
  return begun;
}

/** Returns the handoff request together with the runtime that the operator wants for the successor. */
export async function withSuccessor(
  ports: Pick<Ports, 'store' | 'runtimes' | 'environment'>,
  agentId: number,
  request: HandoffRequest,
  successor: RuntimeRequest,
): Promise<HandoffRequest | Refusal> {
  const agent = ports.store.read((tx) => tx.agentById(agentId));
  const runsOn = agent && (await chosenForSuccessor(ports, agent, successor));
  if (runsOn === undefined || isRefusal(runsOn)) return runsOn ?? request;
  return { ...request, runsOn };
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

/** Closes the inbox items of earlier runs: the runs of this agent and the runs of its predecessor. */
export function closeEarlier(tx: Tx, ports: FactPorts, { id, agentId }: Run): void {
  const predecessorId = tx.agentById(agentId)?.previousAgentId ?? null;
  const made = predecessorId === null ? [] : tx.runsOfAgent(predecessorId);
  for (const earlier of [...tx.runsOfAgent(agentId), ...made]) {
    if (earlier.id === id || tx.currentInboxItems({ runId: earlier.id }).length === 0) continue;
    syncInboxForRun(tx, ports, earlier, loadRunContext(tx, ports, earlier));
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
 * Returns all runs that hand this agent off. Also returns the run that hands work to this agent if that run is in
 * flight or failed, because an agent that is still receiving a handoff cannot hand off yet.
 */
export function runsTouching(tx: Tx, agentId: number): readonly Run[] {
  const agent = tx.agentById(agentId);
  return [
    ...tx.runsOfAgent(agentId),
    ...tx.runsInFlightOf(agentId).filter((run) => run.successorAgentId === agentId),
    ...[agent && unreceivedBy(tx, agent)].filter((run) => run !== undefined),
  ];
}
