import type { Run } from '../../src/contract/resources.ts';
import type { Lane } from './lane.ts';
import type { Mode } from './plan.ts';

/**
 * A project and a persona for a series of handoffs. Each further handoff hands off the successor of the previous
 * handoff.
 */
export interface Slot {
  readonly projectId: number;
  readonly projectPath: string;
  readonly persona: string;
  /** The agent to hand off next. After a completed run, this agent is the successor. */
  agentId: number | undefined;
}

/** Everything that a scenario needs to play one handoff run. */
export interface Play {
  readonly lane: Lane;
  readonly slot: Slot;
  readonly agentId: number;
  readonly mode: Mode;
  /**
   * Waits until all runs of the round are ready and the crash points are set. Resolves to the number of the last event
   * before the crash points were set.
   */
  readonly armed: () => Promise<number>;
}

export async function prompt({ lane, agentId }: Play, text: string): Promise<void> {
  const { verdict, sentence } = await lane.post<{ verdict: string; sentence?: string }>(
    `/api/agents/${agentId}/messages`,
    { text },
  );
  if (verdict !== 'accepted') throw new Error(`agent ${agentId} could not be given work: ${verdict} ${sentence ?? ''}`);
}

/**
 * Requests a handoff as the operator. If the server died before it answered, sends the request again, unless the run
 * exists already.
 */
export async function click({ lane, agentId }: Play, what: 'handoff' | 'succeed', body: object): Promise<number> {
  for (let clicks = 0; clicks < 20; clicks++) {
    const answer = await lane.try<{ run_id?: number }>('POST', `/api/agents/${agentId}/${what}`, body);
    if (answer?.body.run_id !== undefined) return answer.body.run_id;
    if (answer !== undefined) throw new Error(`${what} was refused: ${JSON.stringify(answer.body)}`);
    const { runs } = await lane.get<{ runs: Run[] }>('/api/runs');
    const begun = runs.find((run) => run.agent_id === agentId);
    if (begun !== undefined) return begun.id;
  }
  throw new Error(`${what} of agent ${agentId} was never answered`);
}

export const reached = ({ lane }: Play, runId: number, step: string) =>
  lane.event(0, ({ type, run_id, data }) => run_id === runId && type === 'handoff_progress' && data.to === step);
