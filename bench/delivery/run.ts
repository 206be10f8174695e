import { burst, claude, crash, slow } from './deliverable-profiles.ts';
import { copy, dialog, draft, dying, policy, restart, shell } from './obstacle-profiles.ts';
import type { Plant } from './plant.ts';
import type { Profile } from './profile.ts';
import { type Result, type Ruling, rule, sumUp } from './referee.ts';
import { Stage } from './stage.ts';
import { createTexts } from './texts.ts';
import type { Trial } from './trial.ts';

interface Part {
  readonly run: Profile;
  /** The number of panes, each with one agent, that share the trials of this test profile. */
  readonly panes: number;
  readonly counts: Readonly<Record<Scale, number>>;
}

export type Scale = 'smoke' | 'short' | 'full';

const counts = (smoke: number, short: number, full: number) => ({ smoke, short, full });

/**
 * The test profiles of the bench, each with one kind of client or obstacle. Profiles that mostly wait come first,
 * because the other profiles can run while these profiles wait.
 */
const PARTS: Readonly<Record<string, Part>> = {
  slow: { run: slow, panes: 6, counts: counts(8, 60, 200) },
  claude: { run: claude, panes: 2, counts: counts(12, 60, 200) },
  burst: { run: burst, panes: 2, counts: counts(8, 60, 200) },
  crash: { run: crash, panes: 2, counts: counts(8, 60, 200) },
  dialog: { run: dialog, panes: 1, counts: counts(3, 12, 48) },
  copy: { run: copy, panes: 1, counts: counts(3, 12, 48) },
  dying: { run: dying, panes: 1, counts: counts(6, 18, 60) },
  policy: { run: policy, panes: 1, counts: counts(4, 12, 48) },
  draft: { run: draft, panes: 1, counts: counts(4, 12, 48) },
  shell: { run: shell, panes: 1, counts: counts(4, 12, 48) },
  restart: { run: restart, panes: 1, counts: counts(4, 12, 40) },
};

export interface Report {
  readonly result: Result;
  readonly rulings: readonly Ruling[];
  /** The errors that made a part of the bench end early. */
  readonly breakdowns: readonly string[];
}

export interface BenchOptions {
  readonly scale: Scale;
  readonly plant?: Plant;
  readonly only?: readonly string[];
}

interface Job {
  readonly profile: string;
  readonly pane: number;
  readonly count: number;
  readonly run: Profile;
}

const LANES = 8;

export async function runBench({ scale, plant = 'none', only }: BenchOptions): Promise<Report> {
  const jobs = Object.entries(PARTS)
    .filter(([name]) => only === undefined || only.includes(name))
    .flatMap(([profile, { run, panes, counts: of }]) =>
      Array.from({ length: Math.min(panes, of[scale]) }, (_, pane): Job => {
        return { profile, pane, run, count: Math.ceil((of[scale] - pane) / panes) };
      }),
    );
  const report = { rulings: [] as Ruling[], breakdowns: [] as string[], approvals: 0, crashes: 0 };
  const lane = async () => {
    for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) {
      const stage = new Stage(plant);
      const trials: Trial[] = [];
      try {
        const texts = createTexts(`${job.profile}${job.pane}`, job.pane);
        await job.run({ stage, plant, texts, keep: (trial) => trials.push(trial), ...job }, job.count);
      } catch (error) {
        report.breakdowns.push(`${job.profile}: ${error instanceof Error ? error.message : error}`);
      } finally {
        // Judge only after the last trial, because a second copy of a prompt may arrive late.
        report.rulings.push(...trials.map(rule));
        report.approvals += stage.agents.reduce((sum, agent) => sum + agent.approvals(), 0);
        await stage.stop();
        report.crashes += stage.serverCrashes;
      }
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  const { rulings, breakdowns } = report;
  return { result: sumUp(rulings, report.approvals, report.crashes), rulings, breakdowns };
}
