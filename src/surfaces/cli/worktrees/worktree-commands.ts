import { InvalidArgumentError } from 'commander';
import { define, group, type Kit } from '../command-kit.ts';
import type { RemovalParams } from './worktrees.ts';

export function addWorktreeCommands({ program, run }: Kit): void {
  const worktrees = group(program, 'worktree', 'git worktrees of agents');
  define(worktrees, 'list', {
    summary: 'list the worktrees, with their agents and what git shows of each',
    example: 'baton worktree list',
  }).action(() => run(async (cli) => (await import('./worktrees.ts')).listWorktrees(cli)));
  define(worktrees, 'remove', {
    summary: 'remove one that no agent uses; its branch stays',
    example: 'baton worktree remove developer-con-1 --dry-run',
  })
    .argument('<name>', 'the worktree')
    .option('--project <name-or-id>', 'where several projects have one of that name')
    .option(
      '--force <what>',
      'lose it: uncommitted (changes) or unmerged (commits); may be given twice',
      collectLoss,
      [],
    )
    .option('--branch', 'remove its branch, too')
    .option('--dry-run', 'only show what would be lost')
    .option('--yes', 'do not ask back')
    .action((name: string, wanted: RemovalParams) =>
      run(async (cli) => (await import('./worktrees.ts')).removeWorktree(cli, name, wanted)),
    );
}

function collectLoss(text: string, before: readonly string[]): readonly string[] {
  if (text !== 'uncommitted' && text !== 'unmerged')
    throw new InvalidArgumentError('It must be uncommitted or unmerged: what you want to lose is named.');
  return [...before, text];
}
