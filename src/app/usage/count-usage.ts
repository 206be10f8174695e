import type { Agent } from '../../domain/agents/agent.ts';
import { type Counted, countUsage, type Usage, type UsageReport } from '../../domain/usage/usage.ts';
import { raiseNotice } from '../inbox/raise-notice.ts';
import type { Ports } from '../ports/index.ts';
import type { Tx } from '../ports/store.ts';

/** The name of the usage counter that the client itself keeps, for example in its status line. */
const CLIENT_COUNTER = 'client';

/** The usage of an agent that has worked at least one turn, but whose client has reported no usage so far. */
export const NOTHING_REPORTED: Usage = { tokens: null, costMicros: null };

/** Returns what a report adds to the usage of an agent; undefined if the report adds nothing. */
export function countReport(tx: Tx, agent: Agent, report: UsageReport): Counted | undefined {
  const isOfClient = report.source === CLIENT_COUNTER;
  // A late report of an earlier session does not count. The client keeps a counter for each session, and the stored
  // counter belongs to the current session.
  if (isOfClient && agent.runtimeSessionId !== null && report.session !== agent.runtimeSessionId) return undefined;
  const resumed =
    isOfClient && agent.resumesSession !== null && agent.previousAgentId !== null
      ? tx.agentById(agent.previousAgentId)
      : undefined;
  const inherited = resumed?.usage?.counters.find((counter) => counter.source === CLIENT_COUNTER);
  return countUsage(agent.usage, report, inherited);
}

/**
 * Adds usage to the agent's row of the local day, in the transaction of the report. Once the tokens of all agents on
 * this day reach the operator's daily budget, notifies the operator, but only once.
 */
export function addToDay(
  tx: Tx,
  ports: Pick<Ports, 'clock' | 'operatorSettings' | 'secrets'>,
  { id: agentId, personaId, projectId, runtime }: Agent,
  added: Usage,
): void {
  const day = ports.clock.localDay(ports.clock.now());
  tx.addUsage({ day, agentId, personaId, projectId, runtime }, added);
  const { tokenBudget: budget } = ports.operatorSettings.current();
  if (budget === null || added.tokens === null) return;
  const used = tx.tokensOn(day);
  if (used < budget) return;
  const notice = { type: 'token_budget_passed', day, used, budget } as const;
  // The key of the notice contains the budget. If the operator raises the budget and the agents use up the new budget,
  // too, Baton notifies the operator again.
  raiseNotice(tx, ports, notice, { agentId: null, runId: null }, `token-budget/${day}/${budget}`);
}
