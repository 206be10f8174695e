import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Starts the slowest test files first, so that no single worker is still busy at the end while the others are idle. By
 * default, vitest orders the files by their last durations, which a fresh clone does not have.
 */
const ORDER: readonly RegExp[] = [
  /\/(prove|prove\/knowledge)\/(plants|crash-points|expressions|soak|tarball|guard|ten-generations)\.test\.ts$/,
  /\/exhaustive-walk\.test\.ts$/,
  /\/(accessible|other-machines|copied-home|hostile|trouble)\.test\.ts$/,
  /\/(client-oddities|handoff|backup|workflows|automatic|packages|doctor-worktrees|answers)\.test\.ts$/,
  /\/(prove|browser|e2e|maintenance|practice)\//,
  /\/(tmux|git|environment)\//,
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
