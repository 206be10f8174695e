import type { Trial } from './trial.ts';

export interface Result {
  deliveries: number;
  deliverable: number;
  accepted_once: number;
  refused_rightly: number;
  refused_wrongly: number;
  unconfirmed: number;
  lost: number;
  doubled: number;
  false_success: number;
  false_failure: number;
  dialog_approved: number;
  server_crashes: number;
  /**
   * The number of trials in which text reached a pane although an obstacle, such as a dialog or a draft, was there
   * before the paste.
   */
  typed_wrongly: number;
  p50_ms: number;
  p95_ms: number;
}

export type Count = Exclude<keyof Result, 'p50_ms' | 'p95_ms'>;

const MUST_BE_ZERO: readonly Count[] = [
  'refused_wrongly',
  'lost',
  'doubled',
  'false_success',
  'dialog_approved',
  'server_crashes',
  'typed_wrongly',
];

const RIGHT: readonly Count[] = ['deliverable', 'accepted_once', 'refused_rightly', 'unconfirmed'];

export interface Ruling {
  readonly trial: Trial;
  readonly counts: readonly Count[];
}

/** Compares Baton's verdict on a delivery with the practice agent's own log. */
export function rule(trial: Trial): Ruling {
  const { verdict, agent, sample } = trial;
  const submissions = agent.submissionsOf(sample.expected);
  const counts: Count[] = [];
  const tally = (count: Count, when: boolean) => when && counts.push(count);
  const refused = verdict.kind === 'refused';
  tally('deliverable', trial.deliverable);
  tally('unconfirmed', verdict.kind === 'unconfirmed');
  tally('doubled', submissions > 1);
  tally('false_success', verdict.kind === 'accepted' && submissions === 0);
  tally('false_failure', verdict.kind !== 'accepted' && submissions > 0);
  tally('typed_wrongly', trial.typedBytes > 0 && (trial.mustStaySilent || refused));
  tally('server_crashes', trial.crashedServer === true);
  if (trial.deliverable) {
    tally('accepted_once', verdict.kind === 'accepted' && submissions === 1);
    tally('refused_wrongly', refused);
    tally('lost', !refused && submissions === 0);
  } else if (refused) {
    const right = trial.allowedReasons.includes(verdict.reason);
    tally(right ? 'refused_rightly' : 'refused_wrongly', true);
  }
  return { trial, counts };
}

export function isOffence({ trial, counts }: Ruling): boolean {
  return counts.some((count) => !RIGHT.includes(count)) || (trial.deliverable && !counts.includes('accepted_once'));
}

export function describeOffence({ trial, counts }: Ruling): string {
  const { profile, sample, verdict, detail, agent } = trial;
  const wrong = counts.filter((count) => !RIGHT.includes(count)).join(', ') || 'not accepted once';
  const log = `the agent's log has it ${agent.submissionsOf(sample.expected)} times`;
  return `${profile}, ${sample.size}: ${wrong}; verdict ${verdict.kind} (${detail}); ${log}`;
}

export function sumUp(rulings: readonly Ruling[], approvals: number, serverCrashes: number): Result {
  const of = (count: Count) => rulings.filter(({ counts }) => counts.includes(count)).length;
  const times = rulings.filter(({ trial }) => trial.deliverable).map(({ trial }) => trial.ms);
  return {
    deliveries: rulings.length,
    deliverable: of('deliverable'),
    accepted_once: of('accepted_once'),
    refused_rightly: of('refused_rightly'),
    refused_wrongly: of('refused_wrongly'),
    unconfirmed: of('unconfirmed'),
    lost: of('lost'),
    doubled: of('doubled'),
    false_success: of('false_success'),
    false_failure: of('false_failure'),
    dialog_approved: approvals,
    server_crashes: serverCrashes,
    typed_wrongly: of('typed_wrongly'),
    p50_ms: percentile(times, 0.5),
    p95_ms: percentile(times, 0.95),
  };
}

export function percentile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return Math.round(sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0);
}

export const holds = (result: Result): boolean =>
  result.accepted_once === result.deliverable && MUST_BE_ZERO.every((count) => result[count] === 0);
