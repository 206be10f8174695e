import { InvalidArgumentError } from 'commander';
import { define, group, type Kit } from '../command-kit.ts';
import type { RemovalParams } from './worktrees.ts';

export function addWorktreeCommands({ program, run }: Kit): void {
  const worktrees = group(program, 'worktree', 'git worktrees of agents');
  define(worktrees, 'list', {
    summary: 'list the worktrees with their agents and git status',
    example: 'baton worktree list',
  }).action(() => run(async (cli) => (await import('./worktrees.ts')).listWorktrees(cli)));
  define(worktrees, 'remove', {
    summary: 'remove a worktree that no agent uses (its branch stays)',
    example: 'baton worktree remove developer-con-1 --dry-run',
  })
    .argument('<name>', 'the worktree')
    .option('--project <name-or-id>', 'the project, if several have a worktree of that name')
    .option(
      '--force <what>',
      'discard uncommitted changes (uncommitted) or commits (unmerged); may be given twice',
      collectLoss,
    )
    .option('--branch', 'also remove its branch')
    .option('--dry-run', 'show what would be lost; change nothing')
    .option('--yes', 'skip confirmation')
    .action((name: string, wanted: RemovalParams) =>
      run(async (cli) => (await import('./worktrees.ts')).removeWorktree(cli, name, wanted)),
    );
}

function collectLoss(text: string, before: readonly string[] = []): readonly string[] {
  if (text !== 'uncommitted' && text !== 'unmerged')
    throw new InvalidArgumentError('Name the kind of work that Baton is allowed to discard: uncommitted or unmerged.');
  return [...before, text];
}
