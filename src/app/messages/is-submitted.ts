import type { Ports } from '../ports/index.ts';

/**
 * Has the prompt hook reported this delivery? Then the client accepted the Enter, and if the composer shows the same
 * text, it was put back later.
 */
export function isSubmitted({ store }: Pick<Ports, 'store'>, agentId: number, ref: string): boolean {
  return store.read((tx) => {
    const agent = tx.agentById(agentId);
    const skill = agent?.priming.status === 'typing' && agent.priming.ref === ref && agent.priming.promptId !== null;
    return (
      skill ||
      agent?.messages.some((message) => message.ref === ref && message.submitted !== null) === true ||
      tx.runsInFlightOf(agentId).some(({ delivery }) => delivery?.ref === ref && delivery.submitted)
    );
  });
}
