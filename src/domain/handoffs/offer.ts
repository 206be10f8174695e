import type { Agent } from '../agents/agent.ts';
import { isRefusal } from '../refusals.ts';
import { validateRequest } from './request.ts';
import type { Handoff, Run } from './run.ts';

/** The default handoff threshold. From this context use in percent on, a handoff is offered. */
export const HANDOFF_AT_PERCENT = 80;

export type ContextTier = 'fine' | 'warn' | 'high' | 'handoff';

/** The operator's threshold has priority over the fixed tiers. If it is lower than a tier, that tier never occurs. */
export function contextTier(usedPercent: number, handoffAtPercent: number): ContextTier {
  if (usedPercent >= handoffAtPercent) return 'handoff';
  if (usedPercent >= 75) return 'high';
  return usedPercent >= 65 ? 'warn' : 'fine';
}

export interface HandoffOffer {
  readonly offered: boolean;
  /** Why no handoff is offered, in one short sentence; null if a handoff is offered. */
  readonly whyNot: string | null;
}

/**
 * Returns whether a handoff is offered as the next action. It is offered if the server would accept it (same checks in
 * the same order) and the context use has reached the operator's threshold. The operator can request any other handoff
 * without an offer.
 */
export function offerHandoff(
  agent: Agent,
  past: { readonly runs: readonly Run[]; readonly record: Handoff | undefined },
  handoffAtPercent: number,
): HandoffOffer {
  const judged = validateRequest(agent, past.runs, past.record, { reason: 'context_limit', note: undefined });
  if (isRefusal(judged)) return not(judged.sentence);
  if (agent.context === null) return not('Its context use is not known yet');
  const { usedPercent } = agent.context;
  if (usedPercent < handoffAtPercent)
    return not(`Its context use is ${shown(usedPercent)} %; a handoff is suggested at ${handoffAtPercent} %`);
  return { offered: true, whyNot: null };
}

const not = (whyNot: string): HandoffOffer => ({ offered: false, whyNot });

/** Rounds down, because 79.6 is below the threshold 80 and must not be shown as 80. */
const shown = (percent: number): number => Math.floor(percent);
