/**
 * Whether Baton may begin a handoff without a click. `off`: Baton suggests no handoff. `suggest`: Baton suggests a
 * handoff at the threshold. `auto`: Baton begins the handoff by itself after a countdown. Only a person sets a policy.
 */
export const POLICY_MODES = ['off', 'suggest', 'auto'] as const;
export type PolicyMode = (typeof POLICY_MODES)[number];

export interface HandoffPolicy {
  readonly mode: PolicyMode;
  /**
   * How long the agent must be idle before a countdown begins, unless the agent itself asked for the handoff. This
   * field and all fields below matter only for `auto`.
   */
  readonly idleSeconds: number;
  /** How long a countdown lasts. During this time, a person can cancel or snooze the handoff. */
  readonly countdownSeconds: number;
  /** Whether a person must approve the document before the agent is asked to exit. */
  readonly review: boolean;
  /** Whether Baton may begin a handoff in the operator's quiet hours. */
  readonly inQuietHours: boolean;
  /** The maximum number of automatic handoffs of one persona on one calendar day, in local time. */
  readonly perDay: number;
}

/** The policy of an agent if neither the agent, nor its persona, nor its project has a policy. */
export const DEFAULT_POLICY: HandoffPolicy = {
  mode: 'suggest',
  idleSeconds: 60,
  countdownSeconds: 120,
  review: false,
  inQuietHours: false,
  perDay: 10,
};

export const POLICY_SOURCES = ['agent', 'persona', 'project', 'default'] as const;
export type PolicySource = (typeof POLICY_SOURCES)[number];

export interface NearestPolicy {
  readonly policy: HandoffPolicy;
  /** Where the policy is set: for the agent, the persona, the project, or nowhere (the default). */
  readonly from: PolicySource;
}

type WithPolicy = { readonly policy?: HandoffPolicy | null } | undefined;

/**
 * Returns the policy that applies to an agent: the agent's own policy, else the persona's policy, else the project's
 * policy, else the default policy. The fields of different policies are never mixed.
 */
export function nearestPolicy(agent: WithPolicy, persona: WithPolicy, project: WithPolicy): NearestPolicy {
  if (agent?.policy) return { policy: agent.policy, from: 'agent' };
  if (persona?.policy) return { policy: persona.policy, from: 'persona' };
  if (project?.policy) return { policy: project.policy, from: 'project' };
  return { policy: DEFAULT_POLICY, from: 'default' };
}

/** How many automatic handoffs a persona had on one day. The day is a local date such as 2026-11-18. */
export interface AutoHandoffsOnDay {
  readonly day: string;
  readonly count: number;
}

export const countOn = (day: string, counted: AutoHandoffsOnDay | undefined): number =>
  counted?.day === day ? counted.count : 0;

/** Returns the policy in words, such as "auto (idle 60 s, countdown 120 s, review, at most 10 a day)". */
export function policyInWords({ mode, ...rest }: HandoffPolicy): string {
  if (mode !== 'auto') return mode;
  const parts = [
    `idle ${rest.idleSeconds} s`,
    `countdown ${rest.countdownSeconds} s`,
    ...(rest.review ? ['review'] : []),
    ...(rest.inQuietHours ? ['also in quiet hours'] : []),
    `at most ${rest.perDay} a day`,
  ];
  return `auto (${parts.join(', ')})`;
}
