import type * as contract from '../../../contract/policies.ts';
import type { Agent } from '../../../domain/agents/agent.ts';
import { autoOf } from '../../../domain/handoffs/policy/auto-handoff.ts';
import { HOLD_WORDS } from '../../../domain/handoffs/policy/decide.ts';
import type { HandoffPolicy } from '../../../domain/handoffs/policy/policy.ts';

export const viewPolicy = (policy: HandoffPolicy): contract.HandoffPolicy => ({
  mode: policy.mode,
  idle_seconds: policy.idleSeconds,
  countdown_seconds: policy.countdownSeconds,
  review: policy.review,
  in_quiet_hours: policy.inQuietHours,
  per_day: policy.perDay,
});

export const readPolicy = (given: contract.HandoffPolicy): HandoffPolicy => ({
  mode: given.mode,
  idleSeconds: given.idle_seconds,
  countdownSeconds: given.countdown_seconds,
  review: given.review,
  inQuietHours: given.in_quiet_hours,
  perDay: given.per_day,
});

export function viewAuto(agent: Agent): contract.AutoHandoff {
  const { countdown, snoozedUntil, isCancelled, held, request } = autoOf(agent);
  return {
    countdown: countdown && { trigger: countdown.trigger, began_at: countdown.beganAt, due_at: countdown.dueAt },
    snoozed_until: snoozedUntil,
    cancelled: isCancelled,
    held: held && { why: held.why, sentence: HOLD_WORDS[held.why], since: held.since },
    requested: request && { reason: request.reason, at: request.at },
  };
}
