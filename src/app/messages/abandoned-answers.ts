import type { Agent } from '../../domain/agents/agent.ts';
import { isBeingGiven } from '../../domain/agents/question.ts';
import type { Fact } from '../../domain/facts.ts';
import { msBetween } from '../../domain/instant.ts';
import { type FactPorts, recordFact } from '../engine/record-facts.ts';
import type { Ports } from '../ports/index.ts';

/**
 * The maximum time that Baton needs to enter an answer of the operator. A server that has not reported the outcome
 * after this time never reports it.
 */
const ABANDONED_MS = 60_000;

/**
 * Finds two kinds of answers of the operator whose outcome will never be reported: answers that an ended server began
 * to enter, and answers that are too old.
 */
export const findOverdueAnswers = (
  { clock, settings }: Pick<Ports, 'clock' | 'settings'>,
  { id: agentId, answers }: Agent,
): readonly Fact[] =>
  answers
    .filter(isBeingGiven)
    .filter(({ givenBy, givenAt }) => givenBy !== settings.instance || msBetween(givenAt, clock.now()) > ABANDONED_MS)
    .map(({ ref }) => ({
      type: 'answer_overdue',
      agentId,
      ref,
      detail: 'Baton was stopped before the outcome was known',
    }));

/**
 * When Baton starts, reports the abandoned answers of the operator. No key is pressed again, because the screen may show
 * another question by now.
 */
export async function settleAbandonedAnswers(ports: FactPorts & Pick<Ports, 'store'>): Promise<void> {
  const facts = ports.store.read((tx) => tx.unsettledAgents()).flatMap((agent) => findOverdueAnswers(ports, agent));
  if (facts.length === 0) return;
  await ports.store.write((tx) => {
    for (const fact of facts) recordFact(tx, ports, fact);
  });
}
