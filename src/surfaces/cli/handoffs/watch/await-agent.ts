import { setTimeout as pause } from 'node:timers/promises';
import type { Agent } from '../../../../contract/resources.ts';
import { CliFault } from '../../cli-fault.ts';
import type { ApiClient } from '../../client/api-client.ts';
import { getAgent } from '../../client/look-up.ts';

export interface Awaiting {
  readonly timeoutMs: number;
  /** The awaited state as it appears in the sentence "Agent 3 is not … after 60 s". */
  readonly what: string;
  readonly onLook?: (agent: Agent) => void;
  /**
   * If true, the wait fails as soon as the agent asks a question, because the agent cannot continue without an answer.
   */
  readonly isAsked?: boolean;
  readonly signal?: AbortSignal;
}

const LOOK_EVERY_MS = 200;

export const isOver = ({ state }: Agent): boolean => state === 'ended' || state === 'lost';

export const isReady = (agent: Agent): boolean =>
  agent.state === 'idle' && (agent.persona === null || agent.skill_injected_at !== null);

/** Polls the agent until `isSo` returns true. Throws CliFault after the timeout, or at once if the agent has ended. */
export async function awaitAgent(
  api: ApiClient,
  id: number,
  isSo: (agent: Agent) => boolean,
  { timeoutMs, what, onLook, isAsked = false, signal }: Awaiting,
): Promise<Agent> {
  const until = performance.now() + timeoutMs;
  for (;;) {
    const agent = (await getAgent(api, id)).data;
    onLook?.(agent);
    if (isSo(agent)) return agent;
    if (isOver(agent)) throw gone(agent);
    if (isAsked && agent.state === 'awaiting_input' && agent.question !== null) throw asks(agent, what);
    if (performance.now() >= until) throw tooLate(agent, what, timeoutMs);
    signal?.throwIfAborted();
    await pause(LOOK_EVERY_MS);
  }
}

const gone = ({ id, state, state_reason }: Agent): CliFault =>
  new CliFault(`Agent ${id} is ${state}: ${state_reason}.`, {
    code: 'agent_gone',
    hint: `See: baton agent show ${id}`,
  });

const asks = ({ id, question, state_reason }: Agent, what: string): CliFault =>
  new CliFault(`Agent ${id} is not ${what} yet, because it asks a question: ${state_reason}.`, {
    code: 'agent_asks',
    hint: question?.how_to_answer ?? `Open the agent's terminal: baton agent attach ${id}`,
  });

const tooLate = ({ id, state, state_reason }: Agent, what: string, timeoutMs: number): CliFault =>
  new CliFault(
    `Agent ${id} is not ${what} after ${timeoutMs / 1000} s; it ${state === 'awaiting_input' ? 'waits for your input' : `is ${state}`} (${state_reason}).`,
    {
      code: 'agent_not_ready',
      hint: `Open the agent's terminal: baton agent attach ${id}`,
    },
  );
