import type { Agent } from '../agents/agent.ts';
import { isRefusal } from '../refusals.ts';
import { validateRequest } from './request.ts';
import type { Handoff, Run } from './run.ts';

/** From where on an agent should be handed over, in percent of its context, unless the operator says otherwise. */
export const HANDOFF_AT_PERCENT = 80;

export type ContextTier = 'fine' | 'warn' | 'high' | 'handoff';

/** The operator's threshold stands above the fixed ones: where it is lower than they are, they are never reached. */
export function contextTier(usedPercent: number, handoffAtPercent: number): ContextTier {
  if (usedPercent >= handoffAtPercent) return 'handoff';
  if (usedPercent >= 75) return 'high';
  return usedPercent >= 65 ? 'warn' : 'fine';
}

export interface HandoffOffer {
  readonly offered: boolean;
  /** Why there is no button, in one short sentence; null if there is one. */
  readonly whyNot: string | null;
}

/**
 * Is a handoff offered as the next thing to do? Only where the server would begin one (the same questions in the same
 * order), and only once the context is as full as the operator wants it to be. For other reasons it needs no offer.
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
    return not(`Its context use is ${shown(usedPercent)} %, and a handoff is offered from ${handoffAtPercent} % on`);
  return { offered: true, whyNot: null };
}

const not = (whyNot: string): HandoffOffer => ({ offered: false, whyNot });

/** Downwards: 79.6 is not 80 yet, and must not be shown as if it were. */
const shown = (percent: number): number => Math.floor(percent);
