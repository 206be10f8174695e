import type { Agent } from '../../domain/agents/agent.ts';
import { acknowledgeLate, isAcknowledgeable } from '../../domain/handoffs/advance.ts';
import { isOver, type Run } from '../../domain/handoffs/run.ts';
import type { Refusal } from '../../domain/refusals.ts';
import { type FactPorts, recordFact, saveTransition } from '../engine/record-facts.ts';
import type { Ports } from '../ports/index.ts';
import type { Tx } from '../ports/store.ts';

export interface Acknowledgment {
  readonly runId: number;
  /**
   * The end token from the last line of the document. With this token, the successor proves that it has read the
   * document to the end.
   */
  readonly proof: string;
  readonly task: string;
}

/** Acknowledges a handoff. Only the successor can do this, with the token that it has read in the document. */
export function acknowledgeHandoff(
  ports: FactPorts & Pick<Ports, 'store'>,
  by: Agent,
  given: Acknowledgment,
): Promise<Run | Refusal> {
  return ports.store.write((tx) => acknowledgeIn(tx, ports, by, given));
}

/**
 * Acknowledges a handoff inside the caller's transaction. Also used for acknowledgments that were written to the spool
 * while Baton was down.
 */
export function acknowledgeIn(
  tx: Tx,
  ports: FactPorts,
  by: Agent,
  { runId, proof, ...said }: Acknowledgment,
): Run | Refusal {
  const task = ports.secrets.redact(said.task);
  const run = tx.runById(runId);
  if (run === undefined)
    return {
      code: 'run_not_found',
      sentence: `Handoff ${runId} not found`,
      hint: 'Use the handoff number from the prompt that told you about the handoff document.',
    } as const;
  if (run.successorAgentId !== by.id) {
    return {
      code: 'not_the_successor',
      sentence: `Agent ${by.id} is not the successor in handoff ${runId}, so it cannot acknowledge this handoff`,
    } as const;
  }
  if (!sameToken(ports, proof, run.endToken)) {
    return {
      code: 'wrong_proof',
      sentence: `The proof does not match the document of handoff ${runId}`,
      hint: `Read ${run.document?.absolutePath ?? 'the document'} to its last line; the proof is the token in <!-- handoff-end:TOKEN -->`,
    } as const;
  }
  // A repeated acknowledgment succeeds without effect, because the agent may retry its tool call.
  if (run.acknowledgement !== null) return run;
  if (run.step === 'completed') return saveTransition(tx, ports, acknowledgeLate(run, task, ports.clock.now()));
  if (!isAcknowledgeable(run)) {
    if (isOver(run)) {
      const how = run.step === 'failed' ? 'has failed' : 'was canceled';
      return { code: 'run_over', sentence: `Handoff ${runId} ${how}, so it cannot be acknowledged` } as const;
    }
    return {
      code: 'not_ready_for_ack',
      sentence: `Handoff ${runId} can be acknowledged only after Baton has delivered the handoff prompt`,
    } as const;
  }
  recordFact(tx, ports, { type: 'handoff_acknowledged', runId, task });
  return tx.runById(runId) ?? run;
}

/**
 * Returns whether both tokens are the same. Compares their hashes, so that the duration of the comparison does not
 * reveal how much of a wrong token was right.
 */
const sameToken = (ports: Pick<Ports, 'chance'>, one: string, other: string): boolean =>
  ports.chance.sha256(one) === ports.chance.sha256(other);
