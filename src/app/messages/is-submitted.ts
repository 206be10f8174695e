import type { Ports } from '../ports/index.ts';

/**
 * Returns whether the prompt hook has reported this delivery. If so, the client accepted the Enter, and any text in the
 * composer was put there later. Checks the stored outcome first, because the other records of the delivery are gone
 * after the skill was read or the run has ended.
 */
export function isSubmitted({ store }: Pick<Ports, 'store'>, agentId: number, ref: string): boolean {
  return store.read((tx) => {
    if (tx.promptText(ref)?.outcome === 'typed') return true;
    const agent = tx.agentById(agentId);
    const skill = agent?.priming.status === 'typing' && agent.priming.ref === ref && agent.priming.promptId !== null;
    return (
      skill ||
      agent?.messages.some((message) => message.ref === ref && message.submitted !== null) === true ||
      tx.runsInFlightOf(agentId).some(({ delivery }) => delivery?.ref === ref && delivery.submitted)
    );
  });
}
