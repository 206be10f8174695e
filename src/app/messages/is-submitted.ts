import type { Ports } from '../ports/index.ts';

/**
 * Returns whether the prompt hook has reported this prompt. If so, the client has accepted Baton's Enter, and any text
 * in the composer is newer than the prompt. Baton checks the stored outcome of the prompt first, because the agent and
 * the run do not store the prompt for long.
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
