import { type Instant, msBetween } from '../instant.ts';
import { type Agent, type Attention, hasReachedThreshold, isLive } from './agent.ts';

export interface AttentionRules {
  /**
   * How long an agent must have worked before Baton notifies the operator that it has finished; null turns this
   * notification off.
   */
  readonly finishedAfterMs: number | null;
  /**
   * The context use, in percent, at which Baton notifies the operator that a handoff is advisable; null turns this
   * notification off.
   */
  readonly handoffAtPercent: number | null;
  /**
   * True if the agent is in a handoff run. During a run, Baton sends no notification about the agent's work, because
   * the run sends its own notifications.
   */
  readonly inRun: boolean;
}

/** An agent before and after one fact. */
export interface AgentChange {
  readonly before: Agent;
  readonly after: Agent;
  readonly now: Instant;
}

const NOTHING: Attention = { worksSince: null, finished: null, isNear: false, nearIn: null };

export function attentionAfter(change: AgentChange, rules: AttentionRules): Attention {
  if (!isLive(change.after)) return NOTHING;
  const known = change.before.attention ?? NOTHING;
  return { ...workOf(known, change, rules), ...nearnessOf(known, change, rules) };
}

function workOf(
  known: Attention,
  { before, after, now }: AgentChange,
  { finishedAfterMs, inRun }: AttentionRules,
): Pick<Attention, 'worksSince' | 'finished'> {
  if (after.state === 'working') return { worksSince: known.worksSince ?? now, finished: null };
  if (after.state !== 'idle') return { worksSince: known.worksSince, finished: null };
  const isTold = finishedAfterMs !== null && !inRun;
  if (known.worksSince === null) return { worksSince: null, finished: isTold ? known.finished : null };
  // Baton itself started the turn in which the agent reads the skill, so this turn does not count as work, however long
  // it takes.
  const workedMs = before.priming.status === 'typing' ? 0 : msBetween(known.worksSince, now);
  return { worksSince: null, finished: isTold && workedMs >= finishedAfterMs ? { workedMs } : null };
}

function nearnessOf(
  known: Attention,
  { before, after }: AgentChange,
  { handoffAtPercent, inRun }: AttentionRules,
): Pick<Attention, 'isNear' | 'nearIn'> {
  const session = after.runtimeSessionId ?? after.sessionUuid;
  // The last known context use may have been measured in the previous session. So in a new session, Baton waits for a
  // new measurement.
  const isMeasured = after.context !== before.context || known.nearIn === session;
  const isFull = isMeasured && handoffAtPercent !== null && hasReachedThreshold(after, handoffAtPercent);
  const isFirst = known.nearIn !== session || known.isNear;
  const isNear = isFull && isFirst;
  return { isNear: isNear && !inRun, nearIn: isNear ? session : known.nearIn };
}
