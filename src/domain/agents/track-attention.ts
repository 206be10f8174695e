import { type Instant, msBetween } from '../instant.ts';
import { type Agent, type Attention, isLive } from './agent.ts';

export interface AttentionRules {
  /** Null: not told. */
  readonly finishedAfterMs: number | null;
  /** Null: not told. */
  readonly handoffAtPercent: number | null;
  /** What Baton asks of it in a run is no work of the operator's, and the run tells of itself. */
  readonly inRun: boolean;
}

/** One fact's change of one agent. */
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
  // The turn that takes in its skill is Baton's doing, however long it takes.
  const workedMs = before.priming.status === 'typing' ? 0 : msBetween(known.worksSince, now);
  return { worksSince: null, finished: isTold && workedMs >= finishedAfterMs ? { workedMs } : null };
}

function nearnessOf(
  known: Attention,
  { before, after: { context, runtimeSessionId, sessionUuid } }: AgentChange,
  { handoffAtPercent, inRun }: AttentionRules,
): Pick<Attention, 'isNear' | 'nearIn'> {
  const session = runtimeSessionId ?? sessionUuid;
  // A session that just began is not as full as the one before it was at its last measurement.
  const isMeasured = context !== before.context || known.nearIn === session;
  const isFull = isMeasured && handoffAtPercent !== null && (context?.usedPercent ?? 0) >= handoffAtPercent;
  const isFirst = known.nearIn !== session || known.isNear;
  const isNear = isFull && isFirst;
  return { isNear: isNear && !inRun, nearIn: isNear ? session : known.nearIn };
}
