import type { HandoffInitiated } from '../../../contract/requests.ts';
import type { Agent, Run } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import { usePost } from '../api/machine-clients.ts';

export interface HandoffOptions {
  readonly reason: Run['reason'];
  readonly note?: string;
  readonly review?: boolean;
  readonly background?: Run['background'];
  readonly runtime?: string;
  readonly model?: string;
}

/** Returns a function that starts a handoff on the machine that this part of the page shows. */
export function useHandOff(): (agentId: number, wish: HandoffOptions) => Promise<HandoffInitiated> {
  const post = usePost();
  return (agentId, wish) => post<HandoffInitiated>(PATHS.handoff(agentId), wish);
}

export const isLive = ({ state }: { readonly state: string }): boolean => state !== 'ended' && state !== 'lost';

/**
 * True if the agent's own handoff has failed and Baton offers to retry it. The page then shows the button for the
 * retry, and no button for a new handoff. False for the successor, because the run is not the successor's own handoff.
 */
export const canRetry = ({ id }: Pick<Agent, 'id'>, run: Run | undefined): boolean =>
  run?.agent_id === id && run.step === 'failed' && run.actions.some(({ action }) => action === 'retry');

/**
 * Returns the handoff run that the agent's card shows. A run in flight comes first. If no run is in flight, returns the
 * agent's latest run, but only if that run failed.
 */
export function runToShow(agent: Agent, runs: readonly Run[]): Run | undefined {
  const its = runs.filter((run) => run.agent_id === agent.id || run.successor_agent_id === agent.id);
  const inFlight = its.find(({ over }) => !over);
  if (inFlight !== undefined) return inFlight;
  const latest = its.reduce<Run | undefined>((newest, run) => (newest && newest.id > run.id ? newest : run), undefined);
  return latest?.step === 'failed' ? latest : undefined;
}
