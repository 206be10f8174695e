import type { Agent } from '../../../domain/agents/agent.ts';
import { agentNotFound } from '../../../domain/agents/refuse-unreachable.ts';
import { autoOf } from '../../../domain/handoffs/policy/auto-handoff.ts';
import { whyNotAsked } from '../../../domain/handoffs/policy/decide.ts';
import { validateRequest } from '../../../domain/handoffs/request.ts';
import { onOneLine } from '../../../domain/plain-text.ts';
import { isRefusal, type Refusal } from '../../../domain/refusals.ts';
import { type FactPorts, recordFact } from '../../engine/record-facts.ts';
import type { Ports } from '../../ports/index.ts';
import { runsTouching } from '../request-handoff.ts';
import { autoContextOf } from './auto-context.ts';
import { policyOf } from './policy-of.ts';
import { findWork } from './seen-work.ts';

/** The answer to an agent that asked for its own handoff. */
export interface HandoffAnswer {
  /**
   * The party that decides about the handoff. `auto`: Baton hands the agent off after a countdown. `person`: an inbox
   * item asks a person.
   */
  readonly decidedBy: 'auto' | 'person';
  readonly sentence: string;
}

/**
 * Records that an agent asks for its own handoff, because an agent cannot begin a run itself. Under the policy `auto`,
 * Baton begins the run after a countdown. Under `suggest`, or if a limit prevents the countdown, a person decides.
 */
export async function askForHandoff(
  ports: FactPorts & Pick<Ports, 'store' | 'projects'>,
  agentId: number,
  reason: string,
): Promise<HandoffAnswer | Refusal> {
  const asking = ports.store.read((tx) => tx.agentById(agentId));
  const hasWorked = asking !== undefined && (await hasSeenWork(ports, asking));
  return ports.store.write((tx): HandoffAnswer | Refusal => {
    const agent = tx.agentById(agentId);
    if (agent === undefined) return agentNotFound(agentId);
    const record = tx.handoffOfAgent(agentId);
    const judged = validateRequest(agent, runsTouching(tx, agentId), record, { reason: undefined, note: undefined });
    if (isRefusal(judged)) return judged;
    const { mode } = policyOf(tx, agent).policy;
    if (mode === 'off')
      return {
        code: 'action_not_possible',
        sentence: `The handoff policy of agent ${agentId} is off, so the agent cannot ask for a handoff`,
        hint: 'Continue your work; the operator can begin a handoff at any time.',
      };
    const why = mode === 'auto' ? whyNotAsked(agent, autoContextOf(tx, ports, agent), hasWorked) : undefined;
    const isForPerson = mode !== 'auto' || why !== undefined;
    const text = onOneLine(reason.replace(/\s+/g, ' ')).trim();
    const { request } = autoOf(agent);
    if (request?.reason !== text || request.isForPerson !== isForPerson)
      recordFact(tx, ports, { type: 'handoff_requested', agentId, reason: text, isForPerson });
    return { decidedBy: isForPerson ? 'person' : 'auto', sentence: answer(agentId, isForPerson, why) };
  });
}

/**
 * Returns whether Baton has seen that the agent worked since it took over. Checks git only if no work is recorded yet
 * and the handoff policy is `auto`.
 */
async function hasSeenWork(ports: Pick<Ports, 'store' | 'projects'>, agent: Agent): Promise<boolean> {
  if (autoOf(agent).work !== null) return true;
  const isAuto = ports.store.read((tx) => policyOf(tx, agent).policy.mode === 'auto');
  return isAuto && (await findWork(ports, agent)) !== undefined;
}

function answer(agentId: number, isForPerson: boolean, why: string | undefined): string {
  if (!isForPerson)
    return `Baton hands off agent ${agentId} by itself once the agent is idle, after a countdown that the operator can cancel. End your turn now; Baton then asks for the handoff document.`;
  if (why === undefined)
    return `The operator has your request for a handoff of agent ${agentId} in the inbox and decides about it. Continue your work until then.`;
  return `Baton does not hand off agent ${agentId} by itself now: ${why}. The operator has your request in the inbox and can begin the handoff at any time. Continue your work until then.`;
}
