import { InvalidArgumentError } from 'commander';
import { define, type Kit, personaSlug, wholeNumber } from '../command-kit.ts';

interface PurgeOptions {
  readonly olderThan?: number;
  readonly agent?: number;
  readonly persona?: string;
  readonly all?: boolean;
  readonly documents?: boolean;
  readonly yes?: boolean;
}

export function addSafekeepingCommands({ program, run }: Kit): void {
  define(program, 'backup', {
    summary: 'copy everything that Baton knows into one file, also while it runs',
    example: 'baton backup ~/baton-friday.tar.gz',
  })
    .argument('[file]', 'the new file; without it baton-backup-DATE.tar.gz here')
    .option('--with-secrets', "also the tokens and addresses that let others act in Baton's name")
    .action((file: string | undefined, { withSecrets = false }: { withSecrets?: boolean }) =>
      run(async (cli) => (await import('./backup.ts')).makeBackup(cli, file, withSecrets)),
    );
  define(program, 'restore', {
    summary: 'put a backup in the place of what is there; without --yes it is only looked at',
    example: 'baton restore ~/baton-friday.tar.gz --yes',
  })
    .argument('<file>', 'a backup made by baton backup')
    .option('--yes', 'do it; what is replaced is kept aside')
    .option(
      '--with-secrets',
      'also its tokens, logins, variables for agents, allowed hosts and addresses; only of a backup of your own',
    )
    .action((file: string, { yes = false, withSecrets = false }: { yes?: boolean; withSecrets?: boolean }) =>
      run(async (cli) => (await import('./backup.ts')).restoreBackup(cli, file, { yes, withSecrets })),
    );
  define(program, 'export', {
    summary: 'write what Baton knows as files to read: personas, handoffs, lineage, events, packages',
    example: 'baton export ~/baton-export',
  })
    .argument('<folder>', 'a folder that does not exist yet')
    .action((folder: string) => run(async (cli) => (await import('./export.ts')).exportHome(cli, folder)));
  define(program, 'purge', {
    summary: 'forget ended agents and what was said; without --yes it is only looked at',
    example: 'baton purge --older-than 90d',
  })
    .option('--older-than <days>', 'what ended longer ago than this, such as 90d', days)
    .option('--agent <id>', 'one agent', wholeNumber)
    .option('--persona <slug>', 'all ended agents of a persona', personaSlug)
    .option('--all', 'all ended agents')
    .option('--documents', 'also delete their handoff documents')
    .option('--yes', 'do it; it cannot be taken back')
    .action(({ olderThan, agent, persona, all = false, documents = false, yes = false }: PurgeOptions) =>
      run(async (cli) =>
        (await import('./purge.ts')).purge(cli, {
          all,
          documents,
          yes,
          ...(olderThan === undefined ? {} : { olderThanDays: olderThan }),
          ...(agent === undefined ? {} : { agent }),
          ...(persona === undefined ? {} : { persona }),
        }),
      ),
    );
}

function days(text: string): number {
  const number = /^(\d{1,5})d$/.exec(text)?.[1];
  if (number === undefined) throw new InvalidArgumentError('It must be a number of days such as 90d.');
  return Number(number);
}
