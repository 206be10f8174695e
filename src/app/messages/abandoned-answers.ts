import type { Agent } from '../../domain/agents/agent.ts';
import { isBeingGiven } from '../../domain/agents/question.ts';
import type { Fact } from '../../domain/facts.ts';
import { msBetween } from '../../domain/instant.ts';
import { recordFact } from '../engine/record-facts.ts';
import type { Ports } from '../ports/index.ts';

/** Longer than any answering takes: whoever gave it has failed to say what became of it. */
const ABANDONED_MS = 60_000;

/** Answers of which nobody will tell any more what became of them. */
export const findOverdueAnswers = ({ clock, settings }: Ports, { id: agentId, answers }: Agent): readonly Fact[] =>
  answers
    .filter(isBeingGiven)
    .filter(({ givenBy, givenAt }) => givenBy !== settings.instance || msBetween(givenAt, clock.now()) > ABANDONED_MS)
    .map(({ ref }) => ({
      type: 'answer_overdue',
      agentId,
      ref,
      detail: 'Baton was stopped before it could tell',
    }));

/** Called at start. Nothing is pressed again: the question that stands there now may be another one. */
export async function settleAbandonedAnswers(ports: Ports): Promise<void> {
  const facts = ports.store.read((tx) => tx.agents()).flatMap((agent) => findOverdueAnswers(ports, agent));
  if (facts.length === 0) return;
  await ports.store.write((tx) => {
    for (const fact of facts) recordFact(tx, ports, fact);
  });
}
