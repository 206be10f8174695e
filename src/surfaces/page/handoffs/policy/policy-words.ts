import type { HandoffPolicy } from '../../../../contract/policies.ts';

export const MODES = [
  ['suggest', 'Suggest', 'At the threshold, Baton suggests a handoff. You begin it.'],
  ['auto', 'Automatic', 'At the threshold, Baton begins the handoff by itself after a countdown.'],
  ['off', 'Off', 'Baton suggests nothing. You can still start a handoff yourself.'],
] as const satisfies readonly (readonly [HandoffPolicy['mode'], string, string])[];

/** The values of the form if no policy is set. These values are the defaults of the server. */
export const FIRST_POLICY: HandoffPolicy = {
  mode: 'suggest',
  idle_seconds: 60,
  countdown_seconds: 120,
  review: false,
  in_quiet_hours: false,
  per_day: 10,
};

export function policyInWords(policy: HandoffPolicy | null | undefined): string {
  if (!policy) return 'Not set';
  const [, title] = MODES.find(([mode]) => mode === policy.mode) ?? MODES[0];
  if (policy.mode !== 'auto') return title;
  return `${title}: idle ${policy.idle_seconds} s, countdown ${policy.countdown_seconds} s${policy.review ? ', with review' : ''}, at most ${policy.per_day} a day`;
}

export const FROM_WORDS = {
  agent: 'set for this agent',
  persona: 'set for the persona',
  project: 'set for the project',
  default: "Baton's default",
} as const;
