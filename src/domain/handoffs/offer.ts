import { type Agent, hasReachedThreshold } from '../agents/agent.ts';
import { isRefusal } from '../refusals.ts';
import type { PolicyMode } from './policy/policy.ts';
import { validateRequest } from './request.ts';
import type { Handoff, Run } from './run.ts';

/** The default handoff threshold. A handoff is offered if the context use, in percent, is at least this value. */
export const HANDOFF_AT_PERCENT = 80;

export type ContextTier = 'fine' | 'warn' | 'high' | 'handoff';

/**
 * Returns the warning level (tier) that the page and the CLI show for a context use. At or above the operator's
 * threshold, the tier is always `handoff`. This function does not decide whether a handoff is offered; `offerHandoff`
 * does.
 */
export function contextTier(usedPercent: number, handoffAtPercent: number): ContextTier {
  if (usedPercent >= handoffAtPercent) return 'handoff';
  if (usedPercent >= 75) return 'high';
  return usedPercent >= 65 ? 'warn' : 'fine';
}

export interface HandoffOffer {
  readonly offered: boolean;
  /** The reason why no handoff is offered, in one short sentence. Null if a handoff is offered. */
  readonly whyNot: string | null;
}

/**
 * Returns whether Baton offers a handoff as the next action. Three conditions must hold: the server would accept the
 * handoff, the context use has reached the operator's threshold, and the handoff policy is not `off`. The operator can
 * also request a handoff that is not offered.
 */
export function offerHandoff(
  agent: Agent,
  past: { readonly runs: readonly Run[]; readonly record: Handoff | undefined },
  handoffAtPercent: number,
  mode: PolicyMode = 'suggest',
): HandoffOffer {
  const judged = validateRequest(agent, past.runs, past.record, { reason: 'context_limit', note: undefined });
  if (isRefusal(judged)) return not(judged.sentence);
  if (agent.context === null) return not('The context use of this agent is not known yet');
  if (!hasReachedThreshold(agent, handoffAtPercent))
    return not(
      `Context use is ${shown(agent.context.usedPercent)} %; Baton suggests a handoff at ${handoffAtPercent} %`,
    );
  if (mode === 'off') return not('Suggestions are off for this agent (its handoff policy is off)');
  return { offered: true, whyNot: null };
}

const not = (whyNot: string): HandoffOffer => ({ offered: false, whyNot });

/** Rounds the context use down, because 79.6 is below the threshold 80 and must not be shown as 80. */
const shown = (percent: number): number => Math.floor(percent);
