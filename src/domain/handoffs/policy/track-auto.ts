import { type Agent, hasReachedThreshold, hasRested, isLive } from '../../agents/agent.ts';
import type { AgentFact, Notice } from '../../facts.ts';
import { type Instant, localTime } from '../../instant.ts';
import { type AutoHandoff, autoOf, NO_AUTO, type WorkSeen } from './auto-handoff.ts';

/** The types of facts about policies, requests and countdowns. Such a fact does not show that the agent is active. */
const AUTO_FACTS = [
  'handoff_policy_set',
  'handoff_requested',
  'handoff_request_declined',
  'handoff_request_restored',
  'countdown_began',
  'countdown_restarted',
  'countdown_stopped',
  'countdown_cancelled',
  'countdown_snoozed',
  'auto_handoff_held',
  'auto_handoff_released',
  'auto_handoff_begun',
  'work_seen',
] as const satisfies readonly AgentFact['type'][];

const NAMES: ReadonlySet<string> = new Set(AUTO_FACTS);
export const isAutoFact = ({ type }: AgentFact): boolean => NAMES.has(type);

export interface AutoRules {
  readonly handoffAtPercent: number;
  /** True if a run in flight hands this agent off. Writing the document in such a run does not count as work. */
  readonly isOutgoing: boolean;
}

export interface AutoStep {
  readonly auto: AutoHandoff;
  readonly notices: readonly Notice[];
}

/**
 * Updates the agent's data about automatic handoffs after a fact. `after` is the agent after all other rules have
 * applied the fact.
 */
export function autoAfter(
  { before, after, now }: { readonly before: Agent; readonly after: Agent; readonly now: Instant },
  fact: AgentFact,
  rules: AutoRules,
): AutoStep {
  const known = autoOf(before);
  if (!isLive(after))
    return stopped({ ...NO_AUTO, work: known.work, countdown: known.countdown }, 'the agent has ended');
  const told = applied({ ...known, idleSince: idleSince(known, after, now) }, fact, now);
  const auto = { ...fresh(told, after, rules), work: workAfter(told, fact, rules) };
  if (rules.isOutgoing)
    return { auto: { ...auto, countdown: null, held: null, request: null, declined: null }, notices: [] };
  if (auto.idleSince === null) return stopped(auto, whyNotIdle(after));
  return { auto, notices: [] };
}

/** Ends the countdown, if there is one, and says why. */
function stopped(auto: AutoHandoff, why: string): AutoStep {
  if (auto.countdown === null) return { auto, notices: [] };
  return {
    auto: { ...auto, countdown: null, ended: stopSentence(why) },
    notices: [{ type: 'countdown_stopped', why }],
  };
}

const stopSentence = (why: string): string => `The countdown was stopped: ${why}`;

function whyNotIdle({ state, stateReason, obstacle }: Agent): string {
  if (obstacle) return `its composer is not free (${obstacle.kind})`;
  return `the agent is ${state === 'idle' ? 'not ready' : state.replace('_', ' ')} (${stateReason})`;
}

/**
 * Returns since when the agent has been idle. Returns null if there is no evidence that the agent is idle, if its
 * composer has unsent text (a person is typing), or if its last turn failed (the agent needs a person).
 */
function idleSince({ idleSince: since }: AutoHandoff, agent: Agent, now: Instant): Instant | null {
  const { state, stateCause, obstacle, priming } = agent;
  const isIdle = state === 'idle' && hasRested(agent) && !obstacle;
  return isIdle && stateCause !== 'turn_failed' && priming.status !== 'typing' ? (since ?? now) : null;
}

function applied(auto: AutoHandoff, fact: AgentFact, now: Instant): AutoHandoff {
  switch (fact.type) {
    case 'handoff_policy_set':
      return { ...auto, snoozedUntil: null, isCancelled: false, held: null };
    case 'handoff_requested':
      return {
        ...auto,
        request: { reason: fact.reason, at: now, isForPerson: fact.isForPerson },
        declined: null,
      };
    case 'handoff_request_declined':
      return { ...auto, request: null, declined: auto.request && { itemId: fact.itemId, request: auto.request } };
    case 'handoff_request_restored':
      return auto.declined?.itemId === fact.itemId ? { ...auto, request: auto.declined.request, declined: null } : auto;
    case 'countdown_began':
      return {
        ...auto,
        countdown: { trigger: fact.trigger, beganAt: now, dueAt: fact.dueAt },
        snoozedUntil: null,
        held: null,
        ended: null,
      };
    case 'countdown_restarted':
      return { ...auto, countdown: auto.countdown && { ...auto.countdown, beganAt: now, dueAt: fact.dueAt } };
    case 'countdown_stopped':
      return { ...auto, countdown: null, ended: stopSentence(fact.why) };
    case 'countdown_cancelled':
      return {
        ...auto,
        countdown: null,
        request: null,
        declined: null,
        isCancelled: true,
        ended: 'A person canceled the countdown',
      };
    case 'countdown_snoozed':
      return {
        ...auto,
        countdown: null,
        snoozedUntil: fact.until,
        ended: `A person snoozed the countdown until ${localTime(fact.until)}`,
      };
    case 'auto_handoff_held':
      return { ...auto, held: { why: fact.why, since: now } };
    case 'auto_handoff_released':
      return { ...auto, held: null };
    case 'auto_handoff_begun':
      return { ...auto, countdown: null, ended: `Baton began the handoff by itself: ${fact.because}` };
    default:
      return auto;
  }
}

/**
 * Updates the agent if its context use is below the threshold, for example after a compaction. Forgets that a person
 * canceled the countdown. Also forgets why the handoff was held back, unless the agent itself asked for the handoff.
 */
function fresh(auto: AutoHandoff, agent: Agent, { handoffAtPercent }: AutoRules): AutoHandoff {
  const isBelow = agent.context !== null && !hasReachedThreshold(agent, handoffAtPercent);
  return isBelow ? { ...auto, isCancelled: false, held: auto.request === null ? null : auto.held } : auto;
}

function workAfter({ work }: AutoHandoff, fact: AgentFact, { isOutgoing }: AutoRules): WorkSeen | null {
  if (work !== null) return work;
  if (fact.type === 'work_seen') return fact.what;
  return fact.type === 'tool_used' && fact.phase === 'ended' && fact.edits === true && !isOutgoing ? 'edit' : null;
}
