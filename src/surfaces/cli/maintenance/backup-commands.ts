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
    summary: 'back up all data of Baton into one file, even while it is running',
    example: 'baton backup ~/baton-friday.tar.gz',
  })
    .argument('[file]', "the new file (default: baton-backup-DATE.tar.gz in the folder backups of Baton's home)")
    .option('--with-secrets', 'include tokens and addresses, with which others can act as Baton')
    .action((file: string | undefined, { withSecrets = false }: { withSecrets?: boolean }) =>
      run(async (cli) => (await import('./backup.ts')).makeBackup(cli, file, withSecrets)),
    );
  define(program, 'restore', {
    summary: 'replace the current data with a backup; without --yes, only show what would change',
    example: 'baton restore ~/baton-friday.tar.gz --yes',
  })
    .argument('<file>', 'a backup made by baton backup')
    .option('--yes', 'restore it; the replaced files are kept aside')
    .option(
      '--with-secrets',
      'also restore its tokens, sign-ins, variables for agents, allowed hosts and addresses; only from a backup that you made',
    )
    .action((file: string, { yes = false, withSecrets = false }: { yes?: boolean; withSecrets?: boolean }) =>
      run(async (cli) => (await import('./backup.ts')).restoreBackup(cli, file, { yes, withSecrets })),
    );
  define(program, 'export', {
    summary: 'export personas, handoffs, lineage, events and packages as readable files',
    example: 'baton export ~/baton-export',
  })
    .argument('<folder>', 'a folder that does not exist yet')
    .action((folder: string) => run(async (cli) => (await import('./export.ts')).exportHome(cli, folder)));
  define(program, 'purge', {
    summary: 'delete ended agents and their history; without --yes, only show what would be deleted',
    example: 'baton purge --older-than 90d',
  })
    .option('--older-than <days>', 'agents that ended longer ago than this, such as 90d', days)
    .option('--agent <id>', 'one agent', wholeNumber)
    .option('--persona <slug>', 'all ended agents of a persona', personaSlug)
    .option('--all', 'all ended agents')
    .option('--documents', 'also delete their handoff documents')
    .option('--yes', 'delete them (cannot be undone)')
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
  if (number === undefined) throw new InvalidArgumentError('Use a number of days such as 90d.');
  return Number(number);
}
