import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Starts the slowest test files first. Otherwise a single worker could still be busy at the end while the others are
 * idle. By default, vitest orders the files by their last durations, which a fresh clone does not have.
 */
const ORDER: readonly RegExp[] = [
  /\/prove\/(plants|crash-points|soak|tarball|guard)\.test\.ts$/,
  /\/browser\/(packages|hostile|trouble|worktrees|edges|demo)\.test\.ts$/,
  /\/e2e\/(packages|worktrees|return|adoption|liveness|answers)\.test\.ts$/,
  /\/(prove|e2e|browser|practice)\//,
  /\/domain\/exhaustive-walk\.test\.ts$/,
  /\/(keep|tmux|git|environment)\//,
];

const rank = ({ moduleId }: TestSpecification): number => {
  const found = ORDER.findIndex((pattern) => pattern.test(moduleId));
  return found === -1 ? ORDER.length : found;
};

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return [...files].sort((one, other) => rank(one) - rank(other));
  }
}
