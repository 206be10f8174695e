import type { Run } from '../../../../contract/resources.ts';
import {
  enteredState,
  enteredWords,
  runStatus,
  stepNow,
  waitsForApproval,
} from '../../../../contract/words/step-words.ts';
import { duration } from '../../output/duration.ts';
import { CROSS, ink, type Part, TICK, WARN } from '../../output/ink.ts';
import type { Output } from '../../output/output.ts';

const STEP_WIDTH = 26;

/** Prints the changes of a run since the last call: a line for each finished step, each warning, and the end. */
export class RunPrinter {
  private readonly print: (...parts: readonly Part[]) => void;
  private readonly pass: (text: string) => void;
  private steps = 0;
  private warnings = 0;
  private waits: string | null = null;
  private ended = false;

  constructor(out: Output, to: 'stdout' | 'stderr') {
    this.print = to === 'stdout' ? (...parts) => out.print('  ', ...parts) : (...parts) => out.note('  ', ...parts);
    this.pass = (text) => out.pass(text);
  }

  show(run: Run): void {
    const finished = run.steps.filter(({ ms }) => ms !== null).length;
    for (let index = this.steps; index < finished; index++) {
      const state = enteredState(run, index);
      this.print(
        state === 'done' || state === 'ended' ? TICK : CROSS,
        ' ',
        enteredWords(run, index).padEnd(STEP_WIDTH),
        ink('dim', duration(run.steps[index]?.ms ?? 0).padStart(8)),
      );
    }
    this.steps = finished;
    for (const warning of run.warnings.slice(this.warnings)) this.print(WARN, ' ', warning);
    this.warnings = run.warnings.length;
    const waits = run.waits ?? (waitsForApproval(run) ? approvalOf(run) : null);
    if (waits !== null && waits !== this.waits) this.print(WARN, ' ', waits);
    this.waits = waits;
    if (!run.over) this.pass(`  … ${runStatus(run).words}`);
    else if (!this.ended) this.showEnd(run);
    this.ended = run.over;
  }

  private showEnd(run: Run): void {
    const took = duration(Date.parse(run.updated_at) - Date.parse(run.created_at));
    if (run.step === 'completed') this.print(TICK, ' ', 'Completed'.padEnd(STEP_WIDTH), ink('bold', took.padStart(8)));
    else if (run.failure === null) this.print(CROSS, ` ${runStatus(run).words}`);
    else {
      this.print(CROSS, ` Failed at "${stepNow(run.failure.at)}": ${run.failure.sentence}`);
      this.print(`  ${run.failure.hint}`);
    }
  }
}

const approvalOf = ({ id }: Run): string =>
  `The document waits for your approval: baton handoff approve ${id}. Read it first: baton handoff show ${id} --document`;
