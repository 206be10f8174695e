import { define, type Kit } from '../command-kit.ts';
import type { UpOptions } from './up.ts';

export function addTeamCommands({ program, run }: Kit): void {
  define(program, 'up', {
    summary: 'start the agents of a team file that are not running yet',
    example: 'baton up team.yaml --dry-run',
  })
    .argument('<file>', 'a YAML file with the agents: name, role, project, runtime, worktree, prompt')
    .option('--dry-run', 'show what would be started; change nothing')
    .option('--no-wait', 'return immediately')
    .addHelpText(
      'after',
      '\nA team file:\n  agents:\n    - name: Con\n      role: developer\n      worktree: true\n      prompt: Do the next step of PLAN.md.',
    )
    .action((file: string, wanted: UpOptions) => run(async (cli) => (await import('./up.ts')).up(cli, file, wanted)));
}
