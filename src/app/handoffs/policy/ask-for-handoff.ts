import { agentNotFound } from '../../../domain/agents/refuse-unreachable.ts';
import { autoOf } from '../../../domain/handoffs/policy/auto-handoff.ts';
import { validateRequest } from '../../../domain/handoffs/request.ts';
import { onOneLine } from '../../../domain/plain-text.ts';
import { isRefusal, type Refusal } from '../../../domain/refusals.ts';
import { type FactPorts, recordFact } from '../../engine/record-facts.ts';
import type { Ports } from '../../ports/index.ts';
import { runsTouching } from '../request-handoff.ts';
import { policyOf } from './policy-of.ts';

/** The answer to an agent that asked for its own handoff. */
export interface HandoffAnswer {
  /** `auto`: Baton hands the agent off after a countdown. `person`: a person decides, in the inbox. */
  readonly decidedBy: 'auto' | 'person';
  readonly sentence: string;
}

/**
 * Records that an agent asks for its own handoff. The agent cannot begin the run itself. Under the policy `auto`, Baton
 * begins the run after a countdown, with the same limits as if the context were nearly full. Under `suggest`, a person
 * decides.
 */
export function askForHandoff(
  ports: FactPorts & Pick<Ports, 'store'>,
  agentId: number,
  reason: string,
): Promise<HandoffAnswer | Refusal> {
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
    const isForPerson = mode !== 'auto';
    const text = onOneLine(reason.replace(/\s+/g, ' ')).trim();
    const { request } = autoOf(agent);
    if (request?.reason !== text || request.isForPerson !== isForPerson)
      recordFact(tx, ports, { type: 'handoff_requested', agentId, reason: text, isForPerson });
    return isForPerson
      ? {
          decidedBy: 'person',
          sentence: `The operator has your request for a handoff of agent ${agentId} in the inbox and decides about it. Continue your work until then.`,
        }
      : {
          decidedBy: 'auto',
          sentence: `Baton hands off agent ${agentId} by itself once it is idle, after a countdown that the operator can cancel. End your turn now; Baton then asks for the handoff document.`,
        };
  });
}
