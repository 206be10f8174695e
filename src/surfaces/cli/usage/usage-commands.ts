import { Option } from 'commander';
import { define, type Kit, personaName } from '../command-kit.ts';
import type { UsageRequest } from './usage.ts';

export function addUsageCommand({ program, run }: Kit): void {
  define(program, 'usage', {
    summary: 'show the tokens that agents used, and the costs that their clients reported',
    example: 'baton usage --by persona --since 7d',
  })
    .addOption(
      new Option('--by <group>', 'what each line stands for')
        .choices(['day', 'persona', 'project', 'agent'])
        .default('day'),
    )
    .option('--since <time>', 'from the day of this time on: 7d, 2026-11-15 (the last seven days unless given)')
    .option('--until <time>', 'up to the day of this time')
    .option('--persona <persona>', 'only agents of this persona', personaName)
    .action((wanted: UsageRequest) => run(async (cli) => (await import('./usage.ts')).showUsage(cli, wanted)));
}
