import { z } from 'zod';
import { HOLDS } from '../domain/handoffs/policy/auto-handoff.ts';
import { DEFAULT_POLICY, POLICY_MODES, POLICY_SOURCES } from '../domain/handoffs/policy/policy.ts';

/** Schemas of handoff policies, of countdowns, and of an agent's request for its own handoff. */

const Mode = z
  .enum(POLICY_MODES)
  .describe(
    '`off`: Baton suggests no handoff. `suggest`: Baton suggests a handoff when the context use reaches the threshold. `auto`: Baton begins the handoff by itself after a countdown.',
  );

const about = {
  idle_seconds: 'How long the agent must have been idle before a countdown begins.',
  countdown_seconds: 'How long the countdown lasts; a person can cancel or snooze it.',
  review: 'Whether a person approves the document before the agent is asked to exit.',
  in_quiet_hours: 'Whether Baton may begin a handoff by itself during quiet hours.',
  per_day: 'The maximum number of automatic handoffs of the persona on one day.',
} as const;

export const HandoffPolicy = z.object({
  mode: Mode,
  idle_seconds: z.int().describe(about.idle_seconds),
  countdown_seconds: z.int().describe(about.countdown_seconds),
  review: z.boolean().describe(about.review),
  in_quiet_hours: z.boolean().describe(about.in_quiet_hours),
  per_day: z.int().describe(about.per_day),
});
export type HandoffPolicy = z.infer<typeof HandoffPolicy>;

export const PolicyOfAgent = HandoffPolicy.extend({
  from: z
    .enum(POLICY_SOURCES)
    .describe(
      'Where the policy is set. A policy of the agent comes first, then one of its persona, then one of its project, then the default.',
    ),
}).describe('The handoff policy that applies to this agent.');

export const AutoHandoff = z
  .object({
    countdown: z
      .object({
        trigger: z.enum(['threshold', 'request']),
        began_at: z.string(),
        due_at: z.string().describe('When Baton begins the handoff.'),
      })
      .nullable(),
    snoozed_until: z.string().nullable(),
    cancelled: z
      .boolean()
      .describe(
        'True if a person canceled a countdown. No new countdown begins until the context use falls below the threshold.',
      ),
    held: z
      .object({ why: z.enum(HOLDS), sentence: z.string(), since: z.string() })
      .nullable()
      .describe('Why Baton does not begin the handoff by itself although the policy is `auto`; otherwise null.'),
    requested: z
      .object({ reason: z.string(), at: z.string() })
      .nullable()
      .describe("The agent's own request for a handoff; null if the agent made no request."),
  })
  .describe('The state of the automatic handoff of this agent.');
export type AutoHandoff = z.infer<typeof AutoHandoff>;

const DAY = 86_400;

/**
 * The policy in a request. An omitted field gets the default, and never the value of another policy: the policies of
 * agent, persona and project are not combined.
 */
const PolicyInput = z.strictObject({
  mode: Mode,
  idle_seconds: z.int().min(0).max(DAY).default(DEFAULT_POLICY.idleSeconds).describe(about.idle_seconds),
  countdown_seconds: z.int().min(1).max(DAY).default(DEFAULT_POLICY.countdownSeconds).describe(about.countdown_seconds),
  review: z.boolean().default(DEFAULT_POLICY.review).describe(about.review),
  in_quiet_hours: z.boolean().default(DEFAULT_POLICY.inQuietHours).describe(about.in_quiet_hours),
  per_day: z.int().min(1).max(1000).default(DEFAULT_POLICY.perDay).describe(about.per_day),
});

export const SetPolicy = z.strictObject({
  policy: PolicyInput.nullable().describe(
    'The new policy. Null removes the policy, so that the policy of the persona, of the project or the default applies instead.',
  ),
});

export const ChangeCountdown = z.strictObject({
  action: z.enum(['cancel', 'snooze']),
  minutes: z
    .int()
    .min(1)
    .max(10_080)
    .default(30)
    .describe('If `action` is `snooze`: for how many minutes no countdown begins.'),
});

export const AskForHandoff = z.strictObject({
  reason: z.string().trim().min(1).max(500).describe('Why you ask for a handoff, in one sentence.'),
});

export const HandoffAsked = z.object({
  decided_by: z
    .enum(['auto', 'person'])
    .describe(
      '`auto`: Baton begins the handoff after a countdown. `person`: the operator decides in the inbox, because the policy is `suggest` or because a limit prevents the countdown.',
    ),
  sentence: z.string().describe('What happens next.'),
});
export type HandoffAsked = z.infer<typeof HandoffAsked>;
