import { howToWait, isOver, type Run } from '../handoffs/run.ts';
import type { Refusal } from '../refusals.ts';
import { type Agent, isLive } from './agent.ts';

export interface ResumeAround {
  /** The agents whose `previousAgentId` is the id of this agent. */
  readonly successors: readonly Agent[];
  /** All runs with this agent as the outgoing agent or as the successor. */
  readonly runs: readonly Run[];
}

/** True if the agent is live or its session began. False for an agent whose start failed before its session began. */
const hasBegun = (agent: Agent): boolean => isLive(agent) || agent.registeredAt !== null;

/** Returns the later agent that resumed this agent's conversation; undefined if there is none. */
export const wentOnIn = (successors: readonly Agent[]): Agent | undefined =>
  successors.filter((successor) => successor.resumesSession !== null && hasBegun(successor)).at(-1);

const goesOnAs = (id: number, other: Agent): Refusal => ({
  code: 'already_resumed',
  sentence: `The conversation of agent ${id} was already resumed as agent ${other.id}`,
});

/**
 * Refuses a successor for an agent whose conversation was resumed by a later agent, because this later agent and the
 * successor would do the same work.
 */
export function refuseSucceeded(id: number, successors: readonly Agent[]): Refusal | undefined {
  const other = wentOnIn(successors);
  if (other === undefined) return undefined;
  const hint = isLive(other)
    ? `Hand off that agent: baton handoff ${other.id}`
    : `Agent ${other.id} has ended too. Start a successor: baton handoff ${other.id} --emergency`;
  return { ...goesOnAs(id, other), hint };
}

export const successorOf = (successors: readonly Agent[]): Agent | undefined =>
  successors.filter((successor) => successor.resumesSession === null && hasBegun(successor)).at(-1);

/**
 * Returns the reason why Baton must not resume the agent's conversation in a new process. Returns undefined if there is
 * no reason. For example, a resume is refused while a run of the agent is in flight, or if a run of the agent failed
 * after it had created the handoff record.
 */
export function refuseResume(agent: Agent, { successors, runs }: ResumeAround, anyway: boolean): Refusal | undefined {
  const { id } = agent;
  if (isLive(agent))
    return { code: 'agent_still_active', sentence: `Agent ${id} is still active, so there is nothing to resume` };
  const run = runs.find((each) => !isOver(each));
  if (run !== undefined)
    return {
      code: 'agent_in_handoff',
      sentence: `Agent ${id} takes part in handoff ${run.id} and cannot be resumed until that handoff ends`,
      hint: howToWait(run),
      runId: run.id,
      runStep: run.step,
    };
  const other = wentOnIn(successors);
  if (other !== undefined) {
    const hint = `Agent ${other.id} has ended too. Resume it: baton agent resume ${other.id}`;
    return { ...goesOnAs(id, other), ...(isLive(other) ? {} : { hint }) };
  }
  if (agent.registeredAt === null)
    return {
      code: 'conversation_gone',
      sentence: `Agent ${id} ended before its session began, so there is no conversation to resume`,
      hint:
        agent.resumesSession === null
          ? 'Start a new agent: baton agent start'
          : `Resume the previous agent: baton agent resume ${agent.previousAgentId ?? ''}`,
    };
  const halted = runs.filter(({ step, handoffId }) => step === 'failed' && handoffId !== null).at(-1);
  if (halted !== undefined)
    return {
      code: 'handoff_in_progress',
      sentence: `Handoff ${halted.id} failed after it recorded the document of agent ${halted.agentId}; finish or undo that handoff before you resume the agent`,
      hint: `Finish the handoff: baton handoff resume ${halted.id} (or undo it: baton handoff undo ${halted.id})`,
      runId: halted.id,
      runStep: halted.step,
    };
  const successor = successorOf(successors);
  if (successor === undefined || anyway) return undefined;
  return {
    code: 'successor_took_over',
    sentence: `Agent ${successor.id} has taken over from agent ${id}; if you resume agent ${id}, two agents do the same work`,
    hint: `Resume the agent anyway: baton agent resume ${id} --anyway`,
  };
}
