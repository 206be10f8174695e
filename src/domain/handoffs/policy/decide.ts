import { type Agent, hasReachedThreshold } from '../../agents/agent.ts';
import { after, durationInWords, type Instant, msBetween, utcTime } from '../../instant.ts';
import { type AutoTrigger, autoOf, type Hold } from './auto-handoff.ts';
import type { NearestPolicy } from './policy.ts';

/** Everything besides the agent itself that Baton considers when it decides about an automatic handoff. */
export interface AutoContext {
  readonly nearest: NearestPolicy;
  readonly handoffAtPercent: number;
  /** The reason why a handoff of this agent would be refused now. Null if the handoff would be accepted. */
  readonly refusal: string | null;
  /**
   * The number of an earlier run that did not complete; null if there is none. After such a run, Baton begins no
   * automatic handoff.
   */
  readonly earlierRunId: number | null;
  /**
   * True if the agent took over from a predecessor. Baton begins no automatic handoff of such an agent before the agent
   * has done some work.
   */
  readonly isSuccessor: boolean;
  readonly isQuiet: boolean;
  /** How many automatic handoffs the persona had today. */
  readonly usedToday: number;
  readonly now: Instant;
}

export type AutoDecision =
  | { readonly do: 'nothing' }
  | { readonly do: 'stop'; readonly why: string }
  | { readonly do: 'hold'; readonly why: Hold }
  | { readonly do: 'release' }
  /**
   * Baton must first check in git whether the agent has worked. Without a commit or a changed file, the agent is not
   * handed off automatically. Successors without work could hand over to each other without end.
   */
  | { readonly do: 'check_work' }
  | { readonly do: 'begin_countdown'; readonly trigger: AutoTrigger; readonly dueAt: Instant }
  | { readonly do: 'hand_off'; readonly because: string };

const NOTHING: AutoDecision = { do: 'nothing' };

/** Decides the next step toward an automatic handoff (SPEC H58 to H63). */
export function decideAuto(agent: Agent, world: AutoContext): AutoDecision {
  const { countdown, held } = autoOf(agent);
  const why = whyNot(agent, world);
  if (why !== undefined) {
    if (countdown !== null) return { do: 'stop', why };
    return held !== null && isOver(agent, world) ? { do: 'release' } : NOTHING;
  }
  const hold = holdNow(world);
  if (hold !== undefined) {
    if (countdown !== null) return { do: 'stop', why: HOLD_WORDS[hold] };
    return held?.why === hold ? NOTHING : { do: 'hold', why: hold };
  }
  if (countdown !== null)
    return world.now >= countdown.dueAt ? { do: 'hand_off', because: becauseOf(agent, world) } : NOTHING;
  return beginNow(agent, world);
}

/** The reason why Baton holds back an automatic handoff that is due, worded as the end of a sentence. */
export const HOLD_WORDS: Readonly<Record<Hold, string>> = {
  loop: 'Baton has seen no commit, no edit and no completed package of this agent since it took over',
  cap: 'its persona has used up its automatic handoffs for today',
  quiet_hours: 'these are your quiet hours',
};

/** Returns the reason why no automatic handoff is due. Returns undefined if one is due. */
function whyNot(agent: Agent, world: AutoContext): string | undefined {
  if (world.nearest.policy.mode !== 'auto') return `its handoff policy is ${world.nearest.policy.mode}`;
  if (world.refusal !== null) return world.refusal;
  if (triggerOf(agent, world) === undefined)
    return `its context use is below the threshold of ${world.handoffAtPercent} %`;
  return ruledOut(agent, world) ?? (autoOf(agent).idleSince === null ? 'the agent is not idle' : undefined);
}

/**
 * Returns the reason why Baton must not begin any automatic handoff of this agent, not even at the agent's request.
 * Returns undefined if there is no such reason.
 */
function ruledOut(agent: Agent, { earlierRunId, now }: AutoContext): string | undefined {
  const { isCancelled, snoozedUntil } = autoOf(agent);
  if (earlierRunId !== null) return `handoff ${earlierRunId} of this agent did not complete`;
  if (isCancelled) return 'a person canceled it until the context use falls below the threshold';
  return snoozedUntil !== null && now < snoozedUntil
    ? `a person snoozed it; a countdown can begin on ${utcTime(snoozedUntil)}`
    : undefined;
}

/**
 * Called when an agent asks for its own handoff. Returns the obstacle to this handoff, worded for the agent. Returns
 * undefined if there is no obstacle. `hasWorked` is true if Baton has seen work of the agent since the agent took over.
 */
export function whyNotAsked(agent: Agent, world: AutoContext, hasWorked: boolean): string | undefined {
  const ruled = ruledOut(agent, world);
  if (ruled !== undefined) return ruled;
  const hold = holdNow(world) ?? (world.isSuccessor && !hasWorked ? 'loop' : undefined);
  return hold && HOLD_WORDS_FOR_AGENT[hold];
}

const HOLD_WORDS_FOR_AGENT: Readonly<Record<Hold, string>> = {
  ...HOLD_WORDS,
  cap: `${HOLD_WORDS.cap}; a countdown can begin tomorrow`,
  quiet_hours: "these are the operator's quiet hours; a countdown can begin when they end",
};

/**
 * True if there is no automatic handoff left to hold back: the policy is no longer `auto`, a handoff would be refused,
 * or nothing triggers a handoff any more.
 */
const isOver = (agent: Agent, world: AutoContext): boolean =>
  world.nearest.policy.mode !== 'auto' || world.refusal !== null || triggerOf(agent, world) === undefined;

/**
 * Returns what triggers an automatic handoff: the agent's own request, or a context use that has reached the threshold.
 * Returns undefined if there is no trigger. `offer.ts` decides about suggested handoffs.
 */
function triggerOf(agent: Agent, { handoffAtPercent }: AutoContext): AutoTrigger | undefined {
  if (autoOf(agent).request !== null) return 'request';
  return hasReachedThreshold(agent, handoffAtPercent) ? 'threshold' : undefined;
}

function holdNow({ nearest: { policy }, isQuiet, usedToday }: AutoContext): Hold | undefined {
  if (usedToday >= policy.perDay) return 'cap';
  return isQuiet && !policy.inQuietHours ? 'quiet_hours' : undefined;
}

function beginNow(agent: Agent, world: AutoContext): AutoDecision {
  const { idleSince, held, work } = autoOf(agent);
  const { policy } = world.nearest;
  const trigger = triggerOf(agent, world) ?? 'threshold';
  const idleMs = idleSince === null ? 0 : msBetween(idleSince, world.now);
  if (trigger === 'threshold' && idleMs < policy.idleSeconds * 1000)
    return held !== null && held.why !== 'loop' ? { do: 'release' } : NOTHING;
  if (world.isSuccessor && work === null) {
    // Baton has already checked git and seen no work since the agent became idle, so a second check is useless until
    // the agent has worked again.
    const isKnown = held?.why === 'loop' && idleSince !== null && held.since >= idleSince;
    return isKnown ? NOTHING : { do: 'check_work' };
  }
  return { do: 'begin_countdown', trigger, dueAt: after(world.now, policy.countdownSeconds * 1000) };
}

/**
 * Returns the time at which a countdown ends if it restarts now with its full length. Baton restarts a countdown if
 * Baton did not observe the agent for a while.
 */
export const restartedDueAt = ({ nearest: { policy }, now }: Pick<AutoContext, 'nearest' | 'now'>): Instant =>
  after(now, policy.countdownSeconds * 1000);

function becauseOf(agent: Agent, { nearest: { from }, now }: AutoContext): string {
  const { request, idleSince } = autoOf(agent);
  const idle = `it has been idle for ${durationInWords(idleSince === null ? 0 : msBetween(idleSince, now))}`;
  const cause =
    request === null
      ? `the context use is ${Math.floor(agent.context?.usedPercent ?? 0)} %`
      : `the agent asked for it ("${request.reason}")`;
  return `${cause}, ${idle}, and the handoff policy of ${POLICY_OF[from]} is auto`;
}

const POLICY_OF = {
  agent: 'this agent',
  persona: 'its persona',
  project: 'its project',
  default: 'Baton',
} as const;
