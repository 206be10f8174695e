import type { AgentFact } from '../facts.ts';
import type { Instant } from '../instant.ts';
import type { MessageVerdict, TypingOutcome } from '../messages/operator-message.ts';
import type { Agent } from './agent.ts';
import { type Answer, isBeingGiven } from './question.ts';

const KEPT = 5;

/**
 * Updates the operator's answers and their verdicts after a fact. Once an answer has a verdict, the verdict never
 * changes, so an unconfirmed answer stays unconfirmed.
 */
export function trackAnswers({ id, answers }: Agent, fact: AgentFact, now: Instant): readonly Answer[] {
  if (fact.type === 'answer_begun') {
    const { ref, questionId, givenBy } = fact;
    return [...answers.slice(1 - KEPT), { ref, questionId, givenBy, givenAt: now, verdict: null }];
  }
  if (fact.type !== 'answer_given' && fact.type !== 'answer_overdue') return answers;
  const verdict = fact.type === 'answer_given' ? verdictOf(id, fact.outcome) : unknown(id, fact.detail);
  return answers.map((answer) => (answer.ref === fact.ref && isBeingGiven(answer) ? { ...answer, verdict } : answer));
}

const attach = (agentId: number): string => `baton agent attach ${agentId}`;

function verdictOf(agentId: number, outcome: TypingOutcome): MessageVerdict {
  if (outcome.verdict === 'typed')
    return { verdict: 'accepted', reason: null, sentence: `The answer has reached agent ${agentId}.` };
  if (outcome.verdict === 'refused') {
    const { reason, detail } = outcome;
    const sentence = `Baton did not enter the answer for agent ${agentId}: ${detail}. ${whatToDo(agentId, reason)}`;
    return { verdict: 'refused', reason, sentence };
  }
  const sentence = `Baton entered the answer for agent ${agentId}, but ${outcome.detail}. Check the agent's terminal before you answer again: ${attach(agentId)}`;
  return { verdict: 'unconfirmed', reason: 'typed', sentence };
}

const unknown = (agentId: number, why: string): MessageVerdict => ({
  verdict: 'unconfirmed',
  reason: 'unknown',
  sentence: `Baton does not know whether agent ${agentId} got the answer (${why}). Check the agent's terminal before you answer again: ${attach(agentId)}`,
});

function whatToDo(agentId: number, reason: string): string {
  if (reason === 'copy_mode') return `Leave copy mode in the agent's terminal, then answer again: ${attach(agentId)}`;
  if (reason === 'terminal_only') return `Answer in the agent's terminal: ${attach(agentId)}`;
  if (reason === 'agent_gone' || reason === 'pane_gone' || reason === 'wrong_server')
    return `See the agent's state: baton agent why ${agentId}`;
  return `See what the agent asks now: baton agent answer ${agentId}`;
}
