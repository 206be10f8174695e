import { type Agent, type CutOff, isLive } from '../../../domain/agents/agent.ts';
import type { Refusal } from '../../../domain/refusals.ts';
import { type SentMessage, sendMessage } from '../../messages/send-message.ts';
import type { Ports } from '../../ports/index.ts';

/**
 * Sends one short prompt that asks a resumed agent to continue its interrupted work. Every prompt that the agent gets,
 * including this one, clears the field `cutOff`. Without `cutOff`, Baton does not send this prompt, so the agent gets
 * it only once.
 */
export async function continueAgent(ports: Ports, agentId: number): Promise<SentMessage | Refusal> {
  const { agent, heirs } = ports.store.read((tx) => ({
    agent: tx.agentById(agentId),
    heirs: tx.successorsOf(agentId),
  }));
  if (agent === undefined) return { code: 'agent_not_found', sentence: `Agent ${agentId} not found` };
  if (!agent.cutOff || agent.resumesSession === null)
    return {
      code: 'action_not_possible',
      sentence: `Agent ${agentId} was not interrupted by the loss of its terminal, or it has had a prompt since then, so Baton typed nothing`,
      hint: whatInstead(agent, heirs),
    };
  return sendMessage(ports, agentId, continuePrompt(agent.cutOff));
}

/**
 * Returns the hint of the refusal. The hint names the live agent that the operator can send a message to: this agent
 * or, if it has ended, an agent that continues its work. If there is none, the hint says so.
 */
function whatInstead(agent: Agent, heirs: readonly Agent[]): string {
  const to = [agent, ...heirs].find(isLive);
  return to === undefined
    ? `Agent ${agent.id} is ${agent.state}. List the running agents: baton agent list`
    : `Send ${to.id === agent.id ? 'the agent' : `agent ${to.id}, which continues its work,`} a message: baton agent send ${to.id} "…"`;
}

const continuePrompt = ({ state, at }: CutOff): string =>
  state === 'working'
    ? `Your terminal was lost at ${minuteOf(at)} while you were working, and your session was resumed. Check which part of your last step was done, then continue.`
    : `Your terminal was lost at ${minuteOf(at)} while you waited for an answer, and your session was resumed without the question. Ask again if you still need the answer, then continue.`;

/** Returns a time as text without seconds, such as "2026-11-18 16:49 UTC". */
const minuteOf = (at: string): string => `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;
