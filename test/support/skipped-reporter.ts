import { relative } from 'node:path';
import type { Reporter, TestModule, Vitest } from 'vitest/node';
import './needs.ts';

interface Skipped {
  readonly file: string;
  /** The requirement that this machine lacks. It is undefined if the test gave no reason. */
  readonly missing: string | undefined;
}

/**
 * At the end of a test run, prints each missing requirement, the number of tests that were skipped because of it, and
 * their files.
 */
export default class SkippedReporter implements Reporter {
  private isFiltered = false;

  onInit({ config }: Vitest): void {
    this.isFiltered = config.testNamePattern !== undefined;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = modules.flatMap((module) =>
      [...module.children.allTests('skipped')].map((test) => {
        const result = test.result();
        const note = result.state === 'skipped' ? result.note : undefined;
        return { file: relative(process.cwd(), module.moduleId), missing: test.meta().missing ?? note };
      }),
    );
    // Do not report tests that were skipped only because of a name filter (`-t`).
    const told = skipped.filter(({ missing }) => missing !== undefined || !this.isFiltered);
    for (const line of linesFor(told)) console.log(line);
  }
}

export function linesFor(skipped: readonly Skipped[]): string[] {
  const reasons = [...new Set(skipped.map(({ missing }) => missing))].sort();
  return reasons.map((missing) => {
    const same = skipped.filter((each) => each.missing === missing);
    const count = same.length === 1 ? '1 test' : `${same.length} tests`;
    const verb = same.length === 1 ? 'needs' : 'need';
    const reason = missing === undefined ? `${count} without a reason` : `${count} ${verb} ${missing}`;
    return `Skipped: ${reason}: ${[...new Set(same.map(({ file }) => file))].sort().join(', ')}`;
  });
}
