import type { Agent } from '../../domain/agents/agent.ts';
import { isAcknowledgeable } from '../../domain/handoffs/advance.ts';
import { isOver, type Run } from '../../domain/handoffs/run.ts';
import type { Refusal } from '../../domain/refusals.ts';
import { loadRunContext, recordFact } from '../engine/record-facts.ts';
import { appendNotice } from '../inbox/append-notice.ts';
import { syncInboxForRun } from '../inbox/sync-inbox.ts';
import type { Ports } from '../ports/index.ts';
import type { Tx } from '../ports/store.ts';

export interface Acknowledgment {
  readonly runId: number;
  /** The end token, which appears only in the document's last line. */
  readonly proof: string;
  readonly task: string;
}

/** Only the successor can acknowledge, and only with the token, which it can have read only in the document. */
export function acknowledgeHandoff(ports: Ports, by: Agent, given: Acknowledgment): Promise<Run | Refusal> {
  return ports.store.write((tx) => acknowledgeIn(tx, ports, by, given));
}

/** The same inside a transaction, also for an acknowledgment left in the spool while Baton was down. */
export function acknowledgeIn(
  tx: Tx,
  ports: Ports,
  by: Agent,
  { runId, proof, ...said }: Acknowledgment,
): Run | Refusal {
  const task = ports.secrets.redact(said.task);
  const run = tx.runById(runId);
  if (run === undefined) return { code: 'run_not_found', sentence: `Run ${runId} not found` } as const;
  if (run.successorAgentId !== by.id) {
    return {
      code: 'not_the_successor',
      sentence: `Agent ${by.id} is not the successor in run ${runId}, so it cannot acknowledge it`,
    } as const;
  }
  if (!sameToken(ports, proof, run.endToken)) {
    return {
      code: 'wrong_proof',
      sentence: `The proof does not match the handoff document of run ${runId}`,
      hint: `Read ${run.document?.absolutePath ?? 'the document'} to its last line; the proof is the token in <!-- handoff-end:TOKEN -->`,
    } as const;
  }
  // Repeating an acknowledgment succeeds without effect: a tool call may be retried.
  if (run.acknowledgement !== null) return run;
  if (run.step === 'completed') return acknowledgeLate(tx, ports, run, task);
  if (!isAcknowledgeable(run)) {
    if (isOver(run)) return { code: 'run_over', sentence: `Run ${runId} has already ended: ${run.step}` } as const;
    return {
      code: 'not_ready_for_ack',
      sentence: `Run ${runId} is at ${run.step}; it can be acknowledged once the handoff prompt is delivered`,
    } as const;
  }
  recordFact(tx, ports, { type: 'handoff_acknowledged', runId, task });
  return tx.runById(runId) ?? run;
}

/** Records an acknowledgment that came after the run had completed without it. */
function acknowledgeLate(tx: Tx, ports: Ports, run: Run, task: string): Run {
  const acknowledged = { ...run, acknowledgement: { task, at: ports.clock.now() }, updatedAt: ports.clock.now() };
  tx.saveRun(acknowledged);
  tx.markRunDirty(run.id);
  const notice = { type: 'handoff_complete', acknowledged: true, successorAgentId: run.successorAgentId ?? 0 } as const;
  appendNotice(tx, ports, notice, { agentId: run.agentId, runId: run.id });
  syncInboxForRun(tx, ports, acknowledged, loadRunContext(tx, ports, acknowledged));
  return acknowledged;
}

/** Compares hashes, so that timing does not reveal how much of the token was right. */
const sameToken = (ports: Ports, one: string, other: string): boolean =>
  ports.chance.sha256(one) === ports.chance.sha256(other);
