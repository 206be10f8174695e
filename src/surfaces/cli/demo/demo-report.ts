import type { CliFault } from '../cli-fault.ts';
import type { Watched } from './watch-demo.ts';

export interface DemoEnd {
  readonly watched: Watched | undefined;
  readonly fault: CliFault | undefined;
  readonly left: readonly number[];
  readonly wallMs: number;
  /** How often the server was killed; undefined without --kill. */
  readonly kills: number | undefined;
}

/** The object that `baton demo --json` prints as its last line. */
export interface DemoReport {
  readonly completed: boolean;
  readonly acknowledged: boolean;
  readonly proof_ok: boolean;
  readonly steps: readonly { readonly step: string; readonly ms: number }[];
  readonly wall_ms: number;
  readonly left_processes: number;
  readonly kills?: number;
  readonly problems?: readonly string[];
  readonly error?: string;
}

export function demoReport({ watched, fault, left, wallMs, kills }: DemoEnd): DemoReport {
  const problems = [...(watched?.verdict.problems ?? []), ...leftProblem(left)];
  return {
    completed: watched?.run.step === 'completed',
    acknowledged: watched?.run.acknowledged ?? false,
    proof_ok: watched?.verdict.proofOk ?? false,
    steps: (watched?.run.steps ?? []).flatMap(({ step, ms }) => (ms === null ? [] : [{ step, ms }])),
    wall_ms: Math.round(wallMs),
    left_processes: left.length,
    ...(kills === undefined ? {} : { kills }),
    ...(problems.length === 0 ? {} : { problems }),
    ...(fault === undefined ? {} : { error: fault.message }),
  };
}

const leftProblem = (left: readonly number[]): string[] =>
  left.length === 0 ? [] : [`Processes of the demo are still running: ${left.join(', ')}.`];
